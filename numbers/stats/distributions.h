// Tails of the distributions that tests look up.
#pragma once

namespace residue::query {

// The regularized upper incomplete gamma function Q(a, x); a > 0, x >= 0. DLMF 8.7.1 and 8.9.2.
double gamma_q(double a, double x);

// The regularized incomplete beta function I_x(a, b); a, b > 0, x in [0, 1]. DLMF 8.17.22.
double beta_i(double a, double b, double x);

// P(X >= x) of chi-squared with `freedom` degrees.
double chi_squared_tail(double x, double freedom);

// P(|T| >= |t|) of Student's t with `freedom` degrees.
double student_two_sided(double t, double freedom);

}  // namespace residue::query
