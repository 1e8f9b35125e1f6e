import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { inPage, type Look } from '../browser.ts'
import { viewsOf } from '../views.ts'
import type { World } from '../world.ts'

/** The views as they were when they were tested, to be looked at. */
const SEEN = join(import.meta.dirname, '../../../out/studio')

/** Each color and each width once. */
const LOOKS: readonly Required<Look>[] = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
]

/** No view has a fault that axe can find, in light and in dark; and none is wider than a phone. */
export function accessibility(world: () => World): void {
  suite('accessibility', () => {
    for (const { scheme, width } of LOOKS) {
      test(`axe finds nothing on any view, ${width} wide in ${scheme} colors, and none is wider`, async () => {
        const views = await viewsOf(world())
        const { page, context, problems } = await world().view('/', { scheme, width })
        mkdirSync(SEEN, { recursive: true })
        const found: string[] = []
        for (const { name, path, shows } of views) {
          await page.goto(`/studio${path}`)
          await page.getByText(shows).first().waitFor()
          await page.screenshot({ path: join(SEEN, `${name}-${scheme}.png`) })
          const wide = await inPage<number>(page, 'document.documentElement.scrollWidth')
          if (wide > width) found.push(`${name} is ${wide} wide`)
          const { violations } = await new AxeBuilder({ page }).analyze()
          found.push(
            ...violations.flatMap(({ id, nodes }) =>
              nodes.map(({ html, failureSummary }) => `${name}: ${id} ${html} ${failureSummary}`),
            ),
          )
        }
        assert.deepEqual(found, [])
        assert.deepEqual(problems, [])
        await context.close()
      })
    }
  })
}
