import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { writeDataset } from '../prepared.ts'
import type { World } from '../world.ts'

/** Evaluations over time, their gates and changed cases; and the threshold that is chosen by dragging. */
export function evaluations(world: () => World): void {
  suite('evaluations', () => {
    test('a data set is run; a second run shows the gate that broke and the case that changed', async () => {
      const { page, context, problems } = await world().view('/evaluations')
      await runOnce(page, world(), 1)
      await page.getByText('100%').first().waitFor()
      // The known answer has changed, so the same answer is wrong.
      writeDataset(world().datasets, '614')
      await runOnce(page, world(), 2)
      await page.getByText('66.7%').first().waitFor()
      const gates = page.getByRole('region', { name: 'Gates' })
      assert.match(
        await gates.getByRole('row').first().innerText(),
        /Fails[^]*(success rate|verified answers that were wrong)/,
      )
      const changed = page.getByRole('row').filter({ hasText: 'whats 1000 minus 387' })
      assert.match(await changed.innerText(), /right[^]*not right/)
      await page.getByRole('figure', { name: 'Shares over time' }).locator('svg').first().waitFor()
      await changed.getByRole('link', { name: 'the run' }).last().click()
      await page.getByRole('heading', { level: 1, name: 'whats 1000 minus 387' }).waitFor()
      writeDataset(world().datasets)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a threshold is dragged, and its accuracy and cost follow', async () => {
      const { page, context, problems } = await world().view('/evaluations?set=traffic')
      const figures = page.getByRole('region', { name: 'What this threshold gives' })
      const slider = page.getByRole('slider', { name: 'Threshold' })
      await page.getByRole('figure', { name: 'Accuracy against cost' }).waitFor()
      await slider.focus()
      await page.keyboard.press('Home')
      const all = await figures.innerText()
      assert.match(all, /Promoted\s+0%/)
      const track = await slider.locator('xpath=..').boundingBox()
      const thumb = await slider.boundingBox()
      assert.ok(track !== null && thumb !== null)
      await page.mouse.move(thumb.x + thumb.width / 2, thumb.y + thumb.height / 2)
      await page.mouse.down()
      await page.mouse.move(track.x + track.width * 0.97, thumb.y + thumb.height / 2, { steps: 12 })
      await page.mouse.up()
      const dragged = await figures.innerText()
      assert.notEqual(dragged, all)
      assert.ok(costIn(dragged) > costIn(all), `${dragged} costs no more than ${all}`)
      await slider.focus()
      await page.keyboard.press('End')
      assert.match(await figures.innerText(), /Promoted\s+100%/)
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}

async function runOnce(page: Page, { client }: World, times: number): Promise<void> {
  const before = (await ended(client)) ?? 0
  await page.getByRole('button', { name: 'Run it' }).click()
  while ((await ended(client)) < before + 1) await page.waitForTimeout(50)
  assert.ok((await ended(client)) >= times)
}

const ended = async (client: World['client']): Promise<number> =>
  (await client.evaluations.list()).evaluations.filter(({ status }) => status === 'finished').length

const costIn = (text: string): number =>
  Number(/Cost of 1,000 tasks\s+\$([\d.]+)/.exec(text)?.[1] ?? Number.NaN)
