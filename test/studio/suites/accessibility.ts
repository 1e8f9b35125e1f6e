import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { share } from '../../share.ts'
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

/** So many of the views are looked at, others each day; all with `CASES=whole`. */
const MOST_VIEWS = 4

/** The button of each view that opens a dialog or a menu, which is checked too. */
const OPENED: Readonly<Record<string, RegExp>> = {
  'time-travel': /^Fork at step/,
  support: /^Delete$/,
}

async function faultsOf(page: Page, name: string): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${name}: ${id} ${html} ${failureSummary}`),
  )
}

/** No view and no dialog of the share has a fault that axe finds, in light and in dark; none is wider than a phone. */
export function accessibility(world: () => World): void {
  suite('accessibility', () => {
    for (const { scheme, width } of LOOKS) {
      test(`axe finds nothing on a view or dialog, ${width} wide in ${scheme} colors, and none is wider`, async () => {
        const views = share(await viewsOf(world()), MOST_VIEWS)
        const { page, context, problems } = await world().view('/', { scheme, width })
        mkdirSync(SEEN, { recursive: true })
        const found: string[] = []
        for (const { name, path, shows } of views) {
          await page.goto(`/studio${path}`)
          await page.getByText(shows).first().waitFor()
          await page.screenshot({ path: join(SEEN, `${name}-${scheme}.png`) })
          const wide = await inPage<number>(page, 'document.documentElement.scrollWidth')
          if (wide > width) found.push(`${name} is ${wide} wide`)
          found.push(...(await faultsOf(page, name)))
          const button = OPENED[name]
          if (button !== undefined) found.push(...(await faultsOfDialog(page, { name, button })))
        }
        assert.deepEqual(found, [])
        assert.deepEqual(problems, [])
        await context.close()
      })
    }
  })
}

async function faultsOfDialog(
  page: Page,
  { name, button }: { readonly name: string; readonly button: RegExp },
): Promise<readonly string[]> {
  await page.getByRole('button', { name: button }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await settled(page)
  await page.screenshot({ path: join(SEEN, `${name}-dialog.png`) })
  const faults = await faultsOf(page, `the dialog of ${name}`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return faults
}

/** Waits for animations: text that fades in has too little contrast. */
const settled = (page: Page): Promise<unknown> =>
  inPage(page, 'Promise.all(document.getAnimations().map((one) => one.finished))')
