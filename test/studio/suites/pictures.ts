import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Look, SCHEMES, WIDTHS } from '../browser.ts'
import { type View, viewsOf } from '../views.ts'
import { wordsOn } from '../words-on.ts'
import { openWorld, type World } from '../world.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'docs/images/studio')
/** Looks that no document shows. */
const OTHERS = join(ROOT, 'out/studio/pictures')
/** The words of each view when its pictures were made. */
const WORDS = join(import.meta.dirname, '../pictured-words.json')

const DOCUMENTS = ['README.md', 'docs/guides/studio.md']

/** Views without a picture in the documents: they look like one that has one. */
const LIKE_OTHERS: ReadonlySet<string> = new Set(['messages', 'journal', 'events', 'start'])

const LOOKS: readonly Required<Look>[] = SCHEMES.flatMap((scheme) =>
  WIDTHS.map((width) => ({ scheme, width })),
)

/** Pictures of the views for the documents. A world of their own keeps other tests out of them. */
export function pictures(world: () => World): void {
  suite('pictures', () => {
    test('the views look as in their pictures; UPDATE=1 makes the pictures anew', async () => {
      const own = await openWorld(world().built)
      try {
        const views = (await viewsOf(own)).filter(({ name }) => !LIKE_OTHERS.has(name))
        if (process.env['UPDATE'] === '1') await make(own, views)
        const kept = keptOf(views)
        assert.deepEqual(readdirSync(FOLDER).toSorted(), [...kept.keys()].toSorted())
        for (const [file, { width }] of kept) {
          // The width is in the header of a PNG file.
          assert.equal(readFileSync(join(FOLDER, file)).readUInt32BE(16), width, file)
        }
        const pictured: Readonly<Record<string, string>> = JSON.parse(readFileSync(WORDS, 'utf8'))
        const now = await wordsOf(own, views)
        for (const [name, words] of Object.entries(now)) {
          assert.equal(
            words,
            pictured[name],
            `the pictures of the view ${name} are out of date: run UPDATE=1 npm run test:studio`,
          )
        }
      } finally {
        await own.close()
      }
    })
  })
}

/** The pictures kept with the project: those in documents, and one dark and one phone picture of each view. */
function keptOf(views: readonly View[]): ReadonlyMap<string, Required<Look>> {
  const shown = DOCUMENTS.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n')
  const all = views.flatMap(({ name }) => LOOKS.map((look) => [fileOf(name, look), look] as const))
  return new Map(all.filter(([file, look]) => shown.includes(`/${file})`) || isSample(look)))
}

const isSample = ({ scheme, width }: Required<Look>): boolean =>
  (scheme === 'dark') === (width === 1440)

async function make(world: World, views: readonly View[]): Promise<void> {
  const kept = keptOf(views)
  for (const folder of [FOLDER, OTHERS]) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
  }
  for (const look of LOOKS) {
    const { page, context, problems } = await world.view('/', look)
    for (const { name, path, shows } of views) {
      await page.goto(`/studio${path}`)
      await loaded(page, shows)
      const file = fileOf(name, look)
      await page.screenshot({ path: join(kept.has(file) ? FOLDER : OTHERS, file) })
    }
    assert.deepEqual(problems, [])
    await context.close()
  }
  writeFileSync(WORDS, `${JSON.stringify(await wordsOf(world, views), null, 2)}\n`)
}

/** The words of each view, without what changes from one day or machine to the next. */
async function wordsOf(
  world: World,
  views: readonly View[],
): Promise<Readonly<Record<string, string>>> {
  const { page, context } = await world.view('/')
  const found: [string, string][] = []
  for (const { name, path, shows } of views) {
    await page.goto(`/studio${path}`)
    await loaded(page, shows)
    found.push([name, wordsOn(await page.locator('main').innerText())])
  }
  await context.close()
  return Object.fromEntries(found)
}

/** Waits until a view shows what it is known by, and nothing in it is loading any more. */
async function loaded(page: Page, shows: View['shows']): Promise<void> {
  await page.getByText(shows).first().waitFor()
  await page.waitForTimeout(500)
  await page.waitForFunction(NOTHING_LOADS)
}

/** Text, since the page's globals are not those of Node. */
const NOTHING_LOADS = "!document.querySelector('main')?.innerText.includes('Loading')"

const fileOf = (name: string, { width, scheme }: Required<Look>): string =>
  `${name}-${width}-${scheme}.png`
