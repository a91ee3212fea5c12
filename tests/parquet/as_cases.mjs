// as_cases.mjs FOLDER: NAME.jsonl of an export becomes the NAME.json that check.mjs compares NAME.parquet with. The
// types are those of docs/export.md.
import fs from 'node:fs'
import path from 'node:path'

const whole = new Set(['seed', 'variants', 'failed', 'created_at', 'n', 'sample', 'tied', 'rank', 'rating', 'missing', 'not_applicable', 'sure', 'searches'])
const yes = new Set(['removes_everything', 'known', 'counts', 'present', 'told'])
const real = new Set(['value', 'weight', 'low', 'high', 'if_leaked', 'if_private', 'drop_value', 'drop_low', 'drop_high', 'units', 'drop_units', 'coverage', 'seconds'])

function type(name) {
  return whole.has(name) ? 'int64' : yes.has(name) ? 'boolean' : real.has(name) ? 'double' : 'utf8'
}

function spelled(value, kind) {
  if (value === null) return null
  if (kind === 'int64') return String(value)
  if (kind !== 'double') return value
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes.toString('hex')
}

for (const name of fs.readdirSync(process.argv[2]).filter((file) => file.endsWith('.jsonl'))) {
  const file = path.join(process.argv[2], name)
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
  const columns = lines.length === 0 ? null : Object.keys(lines[0]).map((column) => [column, type(column)])
  const rows = lines.map((line) => columns.map(([column, kind]) => spelled(line[column], kind)))
  fs.writeFileSync(file.replace(/\.jsonl$/, '.json'), JSON.stringify({ columns, rows }))
}
