/** Share of the standard normal distribution below `z`; absolute error under 1.2e-7 is enough here (Numerical Recipes, erfc). */
export function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.5 * x);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277,
  ];
  const polynomial = terms.reduceRight((sum, term) => sum * t + term, 0);
  const tail = (t * Math.exp(-x * x + polynomial)) / 2;
  return z > 0 ? 1 - tail : tail;
}

/** The two-sided 95 % point of the standard normal distribution. */
export const Z95 = 1.959963984540054;

/**
 * The point of Student's t that a share of `below` lies under, by bisection of the exact distribution function
 * (through the incomplete beta function). Error under 1e-9.
 */
export function studentPoint(below: number, freedom: number): number {
  if (below === 0.5) return 0;
  if (below < 0.5) return -studentPoint(1 - below, freedom);
  let low = 0;
  let high = 1;
  while (studentBelow(high, freedom) < below) high *= 2;
  for (let round = 0; round < 100 && high - low > 1e-12 * high; round++) {
    const middle = (low + high) / 2;
    if (studentBelow(middle, freedom) < below) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function studentBelow(t: number, freedom: number): number {
  return 1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2;
}

/** Regularised incomplete beta function by Lentz's continued fraction (Numerical Recipes, betai). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaFraction(x: number, a: number, b: number): number {
  const least = 1e-300;
  const kept = (value: number): number => (Math.abs(value) < least ? least : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    const step = d * c;
    fraction *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return fraction;
}

/** Lanczos, g = 7, n = 9. */
function logGamma(value: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905, -0.13857109526572012,
    9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const x = value - 1;
  const sum = terms.reduce((total, term, index) => total + term / (x + index + 1), 0.9999999999998099);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}
