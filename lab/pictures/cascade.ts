/** The picture of the README: the cascade as a diagram, and below it what one real run prints. */

const WIDTH = 880
const FONT = 'ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace'
const LINE = 21

const COLOR = {
  ground: '#0d1117',
  box: '#161b22',
  edge: '#484f58',
  text: '#e6edf3',
  quiet: '#9da7b3',
  good: '#56d364',
  bad: '#ffa657',
  model: '#79c0ff',
} as const

type Color = keyof typeof COLOR

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

interface Place {
  readonly x: number
  readonly y: number
}

function label({ x, y }: Place, words: string, color: Color, more = ''): string {
  return `<text x="${x}" y="${y}" fill="${COLOR[color]}" xml:space="preserve"${more}>${escaped(words)}</text>`
}

const CENTERED = ' text-anchor="middle"'

/** A box with a title and a line below it. */
function box({ x, y }: Place, title: string, detail: string, color: Color): string {
  const middle = x + 85
  return [
    `<rect x="${x}" y="${y}" width="170" height="58" rx="8" fill="${COLOR.box}" stroke="${COLOR[color]}"/>`,
    label({ x: middle, y: y + 25 }, title, color, `${CENTERED} font-weight="bold"`),
    label({ x: middle, y: y + 44 }, detail, 'quiet', `${CENTERED} font-size="12"`),
  ].join('\n')
}

const arrow = (path: string, color: Color): string =>
  `<path d="${path}" fill="none" stroke="${COLOR[color]}" stroke-width="2" marker-end="url(#${color})"/>`

const head = (color: Color): string =>
  `<marker id="${color}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="${COLOR[color]}"/></marker>`

/** One model: it plans, tools run, a verifier checks. */
function lane(y: number, model: string, detail: string): string {
  return [
    box({ x: 20, y }, model, detail, 'model'),
    arrow(`M190 ${y + 29}H240`, 'quiet'),
    box({ x: 242, y }, 'tools', 'run the plan', 'quiet'),
    arrow(`M412 ${y + 29}H462`, 'quiet'),
    box({ x: 464, y }, 'verifier', 'recomputes the answer', 'quiet'),
    arrow(`M634 ${y + 29}H688`, 'good'),
    label({ x: 661, y: y + 21 }, '✓', 'good', CENTERED),
  ].join('\n')
}

const diagram = (): string =>
  [
    lane(24, 'small model', 'writes a plan'),
    box({ x: 690, y: 24 }, 'verified', 'the cheap answer', 'good'),
    arrow('M549 82V118H105V152', 'bad'),
    label(
      { x: 327, y: 110 },
      '✗ not proved: escalate with the evidence so far',
      'bad',
      `${CENTERED} font-size="12"`,
    ),
    lane(154, 'big model', 'asked only now'),
    box({ x: 690, y: 154 }, 'answer', 'marked if not proved', 'good'),
    label(
      { x: WIDTH / 2, y: 243 },
      'Each call reserves its worst-case cost first. A call that does not fit the budget is not made.',
      'quiet',
      `${CENTERED} font-size="12"`,
    ),
  ].join('\n')

function colorOf(line: string): Color {
  if (line.startsWith('$ ')) return 'text'
  if (/^(?:escalate|plan .*declines)/.test(line)) return 'bad'
  return /^(?:verify {3}✓|verified|gate {5}stop: verified|[\d.]+$)/.test(line) ? 'good' : 'quiet'
}

/**
 * The picture, as SVG.
 * @param printed the command and what it printed, line by line
 */
export function cascadePicture(printed: readonly string[]): string {
  const top = 266
  const lines = printed.map((line, index) =>
    label({ x: 36, y: top + 30 + index * LINE }, line, colorOf(line)),
  )
  const height = top + 30 + printed.length * LINE + 14
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="${FONT}" font-size="14">`,
    '<title>A task goes to the small model; the big one is asked only when the answer fails its check</title>',
    `<defs>${head('quiet')}${head('good')}${head('bad')}</defs>`,
    `<rect width="${WIDTH}" height="${height}" rx="12" fill="${COLOR.ground}"/>`,
    diagram(),
    `<rect x="20" y="${top}" width="${WIDTH - 40}" height="${height - top - 20}" rx="8" fill="${COLOR.box}" stroke="${COLOR.edge}"/>`,
    ...lines,
    '</svg>',
  ].join('\n')}\n`
}
