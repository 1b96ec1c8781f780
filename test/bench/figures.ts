// Medians and percentiles: machines are noisy, so a bench quotes these and ratios of the same run.

export function median(values: number[]): number {
  return percentile(values, 0.5)
}

/** `fraction` 0.99 for p99; nearest rank. */
export function percentile(values: number[], fraction: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN
}
