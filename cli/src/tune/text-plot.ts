/** A point of a picture, and the sign that shows it. Later points are drawn over earlier ones. */
export interface PlottedPoint {
  readonly x: number
  readonly y: number
  /** One column wide. */
  readonly sign: string
}

export interface PlotForm {
  /** Columns and rows of the field within the axes. */
  readonly width: number
  readonly height: number
  readonly showX: (value: number) => string
  readonly showY: (value: number) => string
}

/** Points as a picture of characters, with the ends of both axes. */
export function textPlot(points: readonly PlottedPoint[], form: PlotForm): readonly string[] {
  const { width, height, showX, showY } = form
  const [fromX, toX] = rangeOf(points.map(({ x }) => x))
  const [fromY, toY] = rangeOf(points.map(({ y }) => y))
  const field = Array.from({ length: height }, () => Array.from({ length: width }, () => ' '))
  for (const { x, y, sign } of points) {
    const column = Math.round(((x - fromX) / (toX - fromX)) * (width - 1))
    const row = height - 1 - Math.round(((y - fromY) / (toY - fromY)) * (height - 1))
    const line = field[row]
    if (line !== undefined) line[column] = sign
  }
  const labels = field.map((_, row) => {
    if (row !== 0 && row !== height - 1 && row !== Math.floor((height - 1) / 2)) return ''
    return showY(toY - (row / (height - 1)) * (toY - fromY))
  })
  const wide = Math.max(...labels.map((label) => label.length))
  const [first, last] = [showX(fromX), showX(toX)]
  const gap = ' '.repeat(Math.max(1, width - first.length - last.length))
  return [
    ...field.map((line, row) => {
      const label = labels[row] ?? ''
      return `${label.padStart(wide)} ${label === '' ? '│' : '┤'}${line.join('').trimEnd()}`
    }),
    `${' '.repeat(wide)} └${'─'.repeat(width)}`,
    `${' '.repeat(wide + 2)}${first}${gap}${last}`,
  ]
}

/** Returns the range of values, widened if all are equal. */
function rangeOf(values: readonly number[]): readonly [number, number] {
  // Not Math.min(...), which takes no more values than a call takes arguments.
  const from = values.reduce((least, value) => Math.min(least, value), Infinity)
  const to = values.reduce((most, value) => Math.max(most, value), -Infinity)
  if (from < to) return [from, to]
  const room = Math.abs(from) / 10 || 1
  return [from - room, to + room]
}
