const FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** A size, such as `12.4 kB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} bytes`
  return count < 1_000_000
    ? `${FORMAT.format(count / 1000)} kB`
    : `${FORMAT.format(count / 1_000_000)} MB`
}
