import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { inPage, SCHEMES } from '../browser.ts'
import { viewsOf } from '../views.ts'
import type { World } from '../world.ts'

/** No view has a fault that axe can find, in light and in dark; and none is wider than a phone. */
export function accessibility(world: () => World): void {
  suite('accessibility', () => {
    for (const scheme of SCHEMES) {
      test(`axe finds nothing on any view in ${scheme} colors`, async () => {
        const views = await viewsOf(world())
        const { page, context } = await world().view('/', { scheme })
        const found: string[] = []
        for (const { name, path, shows } of views) {
          await page.goto(`/studio${path}`)
          await page.getByText(shows).first().waitFor()
          const { violations } = await new AxeBuilder({ page }).analyze()
          found.push(
            ...violations.flatMap(({ id, nodes }) =>
              nodes.map(({ html, failureSummary }) => `${name}: ${id} ${html} ${failureSummary}`),
            ),
          )
        }
        assert.deepEqual(found, [])
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
