/** A number with its noun, such as `1,200 runs`. */
export const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
