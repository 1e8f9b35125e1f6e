import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import pngjs from 'pngjs'
import { COLORS } from './chart.ts'
import draw from './draw.ts'
import { interFiles, readableFont } from './font.ts'
import type { Plot } from './plot.ts'

const DAY_MS = 86_400_000

/** A varying price with its averages. */
function plotOf(days: number, more: Partial<Plot> = {}): Plot {
  const closes = Array.from({ length: days }, (_, day) => 150 + 20 * Math.sin(day / 9) + (day % 3))
  const series = closes.map((close, day) => ({
    date: new Date(Date.UTC(2018, 0, 1) + day * DAY_MS).toISOString().slice(0, 10),
    close,
  }))
  const ma7 = closes.map((_, day) =>
    day < 6 ? null : closes.slice(day - 6, day + 1).reduce((sum, close) => sum + close, 0) / 7,
  )
  return { series, ma7, title: null, unit: 'US dollars', ...more }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

class Picture {
  readonly width: number
  readonly height: number
  readonly #rgba: Buffer
  constructor(file: Uint8Array) {
    const { width, height, data } = pngjs.PNG.sync.read(Buffer.from(file))
    this.width = width
    this.height = height
    this.#rgba = Buffer.from(data)
  }

  /** Counts the pixels of exactly this color, written #rrggbb. */
  count(color: string): number {
    const wanted = Number.parseInt(`${color.slice(1)}ff`, 16)
    let found = 0
    for (let at = 0; at < this.#rgba.length; at += 4) {
      if (this.#rgba.readUInt32BE(at) === wanted) found += 1
    }
    return found
  }

  /** A digest of the rows below the heading, which ends at 82. */
  belowHeading(): string {
    return sha256(this.#rgba.subarray(82 * this.width * 4))
  }
}

const picture = async (plot: Plot): Promise<Picture> => new Picture(await draw(plot))
const DARK = '#1b1f24'

suite('a plot', () => {
  for (const days of [1, 2, 7, 30, 1260]) {
    test(`[R5.3] of ${days} days shows all its parts`, async () => {
      const image = await picture(plotOf(days))
      assert.ok(image.width > 1700 && image.width < 2000, `${image.width} wide`)
      assert.ok(image.height > 1000 && image.height < 1200, `${image.height} high`)
      // The symbol of the legend has 240 pixels; a dot adds about 60.
      assert.ok(image.count(COLORS.close) > 280, 'close')
      if (days < 7) assert.equal(image.count(COLORS.average), 0)
      else assert.ok(image.count(COLORS.average) > 280, 'average')
    })
  }

  test('[R5.3] without an average shows only the close', async () => {
    const { series } = plotOf(30)
    const image = await picture(plotOf(30, { ma7: series.map(() => null) }))
    assert.ok(image.count(COLORS.close) > 1_000)
    assert.equal(image.count(COLORS.average), 0)
  })

  test('has text: a longer title adds dark pixels and changes nothing else', async () => {
    const [short, long] = await Promise.all([
      picture(plotOf(30, { title: 'I' })),
      picture(plotOf(30, { title: 'WWWWWWWWWWWWWWWWWWWW' })),
    ])
    assert.ok(long.count(DARK) > short.count(DARK) + 2_000)
    assert.equal(long.belowHeading(), short.belowHeading())
  })

  test('[DD-16] treats markup in a title as text', async () => {
    const markup = '</text><rect width="9999" height="9999" fill="#ff0000"/><text>'
    const [plain, hostile] = await Promise.all([
      picture(plotOf(30, { title: 'I' })),
      picture(plotOf(30, { title: markup })),
    ])
    assert.equal(hostile.count('#ff0000'), 0)
    assert.ok(hostile.count(DARK) > plain.count(DARK))
    assert.equal(hostile.belowHeading(), plain.belowHeading())
  })

  test('shows a constant price and extreme prices', async () => {
    const closes = [() => 42, () => 0, (day: number) => (day % 2 ? 1e9 : -1e9), () => 5e-324]
    for (const closeOn of closes) {
      const series = plotOf(30).series.map(({ date }, day) => ({ date, close: closeOn(day) }))
      const image = await picture(plotOf(30, { series, ma7: series.map(() => null) }))
      assert.ok(image.count(COLORS.close) > 1_000, String(closeOn))
    }
  })

  test('has the same bytes for the same days', async () => {
    assert.equal(sha256(await draw(plotOf(30))), sha256(await draw(plotOf(30))))
  })
})

test('a font that cannot be read is an error, not a plot without text', () => {
  const [regular = ''] = interFiles()
  assert.ok(readableFont([regular]))
  for (const files of [[], ['/not/there.ttf'], [import.meta.filename]]) {
    assert.throws(() => readableFont(files), { name: 'ToolError', message: /npm install/ })
  }
})
