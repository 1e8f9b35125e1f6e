import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { World } from '../world.ts'

const TRAIN = 'A train travels 60 miles in 1.5 hours. What is its average speed?'

/** The steps of a run are walked through, forked and compared. */
export function timeTravel(world: () => World): void {
  suite('time travel', () => {
    test('the slider shows the state at each step and what changed, by keyboard too', async () => {
      const { id } = await world().run({ agent: 'decide', input: TRAIN })
      const { page, context, problems } = await world().view(`/runs/${id}/steps`)
      await page.getByRole('heading', { name: 'Step 0: Asks offline/small.' }).waitFor()
      await page.getByText('loop › rung').waitFor()
      const slider = page.getByRole('slider')
      assert.match(
        (await slider.getAttribute('aria-valuetext')) ?? '',
        /Step 0: Asks offline\/small/,
      )
      await slider.press('ArrowRight')
      await page.getByRole('heading', { name: 'Step 1: Asks offline/big.' }).waitFor()
      await slider.press('End')
      await page
        .getByRole('heading', { name: 'Step 3: Checks the answer with calculator.' })
        .waitFor()
      assert.match(page.url(), /step=3/)
      await page.getByRole('button', { name: 'The step before' }).click()
      await page.getByRole('heading', { name: 'Step 2: Uses calculator.' }).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a fork goes on from a step with another model, and is compared with its run', async () => {
      const { id } = await world().run({ agent: 'decide', input: TRAIN })
      const { page, context, problems } = await world().view(`/runs/${id}/steps`)
      await page.getByRole('button', { name: 'Fork at step 0' }).click()
      await page.getByRole('combobox', { name: 'The model for small' }).fill('offline/big')
      await page.getByRole('button', { name: 'Start the fork' }).click()
      await page.getByRole('link', { name: 'fork of another run' }).waitFor()
      await page.getByText('40', { exact: true }).first().waitFor()
      await page.getByRole('link', { name: 'Compare', exact: true }).last().click()
      await page.getByText('They went apart at step 0.').waitFor()
      const models = page.getByRole('row', { name: /^Models/ })
      assert.match(await models.innerText(), /offline\/small, offline\/big\s+offline\/big/)
      const answer = page.getByRole('row', { name: /^Answer/ })
      assert.equal(await answer.getAttribute('data-differs'), 'false')
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}
