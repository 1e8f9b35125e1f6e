import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { SCHEMES, WIDTHS } from '../browser.ts'
import { viewsOf } from '../views.ts'
import type { World } from '../world.ts'

const ROOT = join(import.meta.dirname, '../../..')
const KEPT = join(ROOT, 'docs/images/studio')
/** `UPDATE=1` makes the pictures of the documents anew; else they are left to be looked at. */
const FOLDER = process.env['UPDATE'] === '1' ? KEPT : join(ROOT, 'out/studio')

/** The views whose pictures are in the documents. */
const IN_DOCUMENTS: ReadonlySet<string> = new Set([
  'run',
  'time-travel',
  'runs',
  'budget',
  'compare',
])

/** Pictures of the views, wide and narrow, light and dark. */
export function pictures(world: () => World): void {
  suite('pictures', () => {
    test('each view is pictured, and the documents have those that they show', async () => {
      const views = await viewsOf(world())
      mkdirSync(FOLDER, { recursive: true })
      for (const scheme of SCHEMES) {
        for (const width of WIDTHS) {
          const { page, context, problems } = await world().view('/', { scheme, width })
          for (const { name, path, shows } of views) {
            if (FOLDER === KEPT && !IN_DOCUMENTS.has(name)) continue
            await page.goto(`/studio${path}`)
            await page.getByText(shows).first().waitFor()
            await page.waitForTimeout(150)
            await page.screenshot({ path: join(FOLDER, fileOf(name, width, scheme)) })
          }
          assert.deepEqual(problems, [])
          await context.close()
        }
      }
      for (const name of IN_DOCUMENTS) {
        assert.ok(
          views.some((view) => view.name === name),
          `${name} is no view`,
        )
        for (const scheme of SCHEMES) {
          for (const width of WIDTHS) {
            const file = fileOf(name, width, scheme)
            assert.ok(existsSync(join(KEPT, file)), `${file} is missing; UPDATE=1 makes it`)
          }
        }
      }
    })
  })
}

const fileOf = (name: string, width: number, scheme: string): string =>
  `${name}-${width}-${scheme}.png`
