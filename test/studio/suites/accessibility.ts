import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { inPage, SCHEMES } from '../browser.ts'
import { viewsOf } from '../views.ts'
import type { World } from '../world.ts'

/** The views as they were when they were tested, to be looked at. */
const SEEN = join(import.meta.dirname, '../../../out/studio')

/** No view has a fault that axe can find, in light and in dark; and none is wider than a phone. */
export function accessibility(world: () => World): void {
  suite('accessibility', () => {
    for (const scheme of SCHEMES) {
      test(`axe finds nothing on any view in ${scheme} colors`, async () => {
        const views = await viewsOf(world())
        const { page, context, problems } = await world().view('/', { scheme })
        mkdirSync(SEEN, { recursive: true })
        const found: string[] = []
        for (const { name, path, shows } of views) {
          await page.goto(`/studio${path}`)
          await page.getByText(shows).first().waitFor()
          await page.screenshot({ path: join(SEEN, `${name}-${scheme}.png`) })
          const axe = new AxeBuilder({ page })
          // Only the colors differ in the dark.
          if (scheme === 'dark') axe.withRules(['color-contrast'])
          const { violations } = await axe.analyze()
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

    test('no view is wider than a phone', async () => {
      const views = await viewsOf(world())
      const { page, context } = await world().view('/', { width: 390 })
      const wide: string[] = []
      for (const { name, path, shows } of views) {
        await page.goto(`/studio${path}`)
        await page.getByText(shows).first().waitFor()
        const width = await inPage<number>(page, 'document.documentElement.scrollWidth')
        if (width > 390) wide.push(`${name}: ${width}`)
      }
      assert.deepEqual(wide, [])
      await context.close()
    })
  })
}
