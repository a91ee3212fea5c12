"""Pages in Debian's Chromium, without a window, for the tests of pages."""
import os
import shutil
import sys

SKIPPED = 77


def require():
    """Ends the process, as skipped, where no browser is installed."""
    try:
        import selenium.common.exceptions
    except ImportError:
        print("SKIPPED: python3-selenium is not installed (scripts/deps test)")
        sys.exit(SKIPPED)
    if not shutil.which("chromedriver") or not shutil.which("chromium"):
        print("SKIPPED: chromium-driver is not installed (scripts/deps test)")
        sys.exit(SKIPPED)
    try:
        opened().quit()
    except selenium.common.exceptions.WebDriverException as error:
        hint = "" if os.path.exists("/etc/hosts") else " (there is no /etc/hosts that knows localhost)"
        print(f"SKIPPED: chromium is installed and does not start here{hint}: {str(error).splitlines()[0]}")
        sys.exit(SKIPPED)


def opened(width=1000, height=900, scripts=True, dark=False, local=False):
    """A browser that finds no host, with `local` none but 127.0.0.1; whoever opens it quits it."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    options = Options()
    options.binary_location = shutil.which("chromium")
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--host-resolver-rules=MAP * ~NOTFOUND" + (", EXCLUDE 127.0.0.1" if local else ""), f"--window-size={width},{height}"):
        options.add_argument(flag)
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    if dark:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                               {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    return driver


def complaints(driver):
    """What the console says."""
    return [entry["message"] for entry in driver.get_log("browser")]


def requests(driver):
    """Where the page asked for something, files that were opened aside."""
    import json
    urls = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            if not url.startswith(("file:", "data:")):
                urls.append(url)
    return urls


def pictures():
    """The folder that screenshots go to, beside the build; None: nobody wants them."""
    folder = os.environ.get("RESIDUE_PICTURES")
    if folder:
        os.makedirs(folder, exist_ok=True)
    return folder


def keep_picture(driver, name, height=None):
    folder = pictures()
    if not folder:
        return
    width = driver.execute_script("return document.documentElement.clientWidth")
    whole = driver.execute_script("return document.documentElement.scrollHeight")
    driver.set_window_size(width, min(height or whole, 16000))
    driver.save_screenshot(os.path.join(folder, name + ".png"))
