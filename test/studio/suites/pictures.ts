import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { type Look, SCHEMES, WIDTHS } from '../browser.ts'
import { type View, viewsOf } from '../views.ts'
import type { World } from '../world.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/images/studio')

/** Views without a picture in the documents: they look like one that has one. */
const LIKE_OTHERS: ReadonlySet<string> = new Set(['messages', 'journal', 'events', 'start'])

const LOOKS: readonly Required<Look>[] = SCHEMES.flatMap((scheme) =>
  WIDTHS.map((width) => ({ scheme, width })),
)

/** Pictures of the views for the documents, wide and narrow, light and dark. */
export function pictures(world: () => World): void {
  suite('pictures', () => {
    test('each main view has its pictures in the documents; UPDATE=1 makes them anew', async () => {
      const views = (await viewsOf(world())).filter(({ name }) => !LIKE_OTHERS.has(name))
      if (process.env['UPDATE'] === '1') await make(world(), views)
      for (const { name } of views) {
        for (const look of LOOKS) {
          const picture = readFileSync(join(FOLDER, fileOf(name, look)))
          // The width is in the header of a PNG file.
          assert.equal(picture.readUInt32BE(16), look.width, fileOf(name, look))
        }
      }
    })
  })
}

async function make(world: World, views: readonly View[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const look of LOOKS) {
    const { page, context, problems } = await world.view('/', look)
    for (const { name, path, shows } of views) {
      await page.goto(`/studio${path}`)
      await page.getByText(shows).first().waitFor()
      await page.waitForTimeout(300)
      await page.screenshot({ path: join(FOLDER, fileOf(name, look)) })
    }
    assert.deepEqual(problems, [])
    await context.close()
  }
}

const fileOf = (name: string, { width, scheme }: Required<Look>): string =>
  `${name}-${width}-${scheme}.png`
