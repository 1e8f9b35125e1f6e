import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { inPage, until } from '../browser.ts'
import { HOSTILE } from '../scripted-agents.ts'
import type { World } from '../world.ts'

/** Runs are listed and started, and a run tells what it decided and why. */
export function runs(world: () => World): void {
  suite('runs', () => {
    test('a run is started by the form of its agent, and tells why it was not promoted', async () => {
      const { page, context, problems } = await world().view('/runs')
      await page.getByRole('link', { name: 'Start a run' }).click()
      // The list has a field to search tasks, which must not be taken for the field of the form.
      await page.getByRole('heading', { level: 1, name: 'Start a run' }).waitFor()
      await page.getByLabel('Task').fill('What is 15 * 23?')
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'What is 15 * 23?' }).waitFor()
      await page.getByText('345', { exact: true }).first().waitFor()
      const gate = page.getByRole('article').filter({ hasText: 'Accepted' })
      assert.match(
        await gate.innerText(),
        /the quantities and operations of the question give the same/,
      )
      assert.match(await gate.innerText(), /Score 1\.00/)
      assert.equal(await page.getByText('promoted').count(), 0)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the form says what is missing, and shows the options of the agent in words', async () => {
      const { page, context, problems } = await world().view('/runs/new?agent=decide')
      await page.getByRole('button', { name: 'More options' }).click()
      await page.getByLabel('Gold answer').waitFor()
      await page.getByLabel('Seed').fill('7')
      await page.getByLabel('Task').fill('What is 2 + 2?')
      await page.getByRole('button', { name: 'Start', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'What is 2 + 2?' }).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a promotion shows what the bigger model was told, by its own words', async () => {
      const { id } = await world().run({
        agent: 'decide',
        input: 'A train travels 60 miles in 1.5 hours. What is its average speed?',
      })
      const { page, context, problems } = await world().view(`/runs/${id}`)
      await page.getByRole('button', { name: 'Show what offline/big is told' }).click()
      await page
        .getByText(/A train travels 60 miles[^]*offline model/)
        .first()
        .waitFor()
      const path = page.getByRole('region', { name: 'The path of the task' })
      assert.match(
        await path.innerText(),
        /offline\/small\s+offline\/big\s+declines\s+promoted\s+plans/,
      )
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the gate of a cascade shows the numbers that made its decisions', async () => {
      const { id } = await world().run({
        agent: 'capitals',
        input: 'What is the capital of France?',
      })
      const { page, context, problems } = await world().view(`/runs/${id}`)
      const card = (text: string) => page.getByRole('article').filter({ hasText: text })
      await card('Promoted: two drafts were compared, score 0.31 < 0.80.').waitFor()
      await card('Accepted: two drafts were compared, score 0.98 ≥ 0.80.').waitFor()
      await card('test/big is told:').filter({ hasText: 'was not accepted' }).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the budget of a run: limits, spent and left, by model and in money', async () => {
      const { id, end } = await world().run({ agent: 'clerk', input: 'Write HTML' })
      const { page, context, problems } = await world().view(`/runs/${id}?tab=budget`)
      const row = page.getByRole('row', { name: /test\/model/ })
      const cost = end?.cost ?? 0
      assert.ok(cost > 0)
      const dollars = `$${cost.toFixed(6).replace(/0+$/, '')}`
      assert.ok((await row.innerText()).includes(dollars), `${await row.innerText()} ${dollars}`)
      await page.getByText('Spent', { exact: true }).first().waitFor()
      const money = page.locator('dl').filter({ hasText: '$1.00' })
      assert.match(await money.innerText(), /Spent\s+\$0\.000\d+\s+Reserved\s+\$0\s+Left\s+\$1\.00/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('files of a run are shown as pictures, from a copy that runs nothing', async () => {
      const { id, artifacts } = await world().run({
        agent: 'decide',
        input: 'Plot the last 30 days of AAPL.',
      })
      assert.equal(artifacts.length, 1)
      const { page, context, problems } = await world().view(`/runs/${id}`)
      const picture = page.getByRole('img', { name: /^The file .*\.png/ })
      await picture.waitFor()
      assert.match((await picture.getAttribute('src')) ?? '', /^data:image\/png/)
      await until(async () => {
        const width = await inPage<number>(
          page,
          `document.querySelector('figure img').naturalWidth`,
        )
        return width > 100
      })
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the output of a model is shown as text, even if it is HTML', async () => {
      const { id } = await world().run({ agent: 'clerk', input: 'Write HTML' })
      const { page, context, problems } = await world().view(`/runs/${id}`)
      await page.getByText(HOSTILE).first().waitFor()
      for (const tab of ['Events', 'Journal', 'Model messages']) {
        await page.getByRole('tab', { name: tab }).click()
        await page.waitForTimeout(50)
      }
      await page.goto('/studio/runs')
      await page.getByText(HOSTILE).first().waitFor()
      assert.equal(await inPage(page, `'hacked' in globalThis`), false)
      assert.equal(await page.locator('main b, main script, main img[src=x]').count(), 0)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the list is searched and filtered, and its address keeps the filter', async () => {
      await world().run({ agent: 'decide', input: 'What is 6 * 7?' })
      await world().run({ agent: 'chat', input: 'What is 6 * 7?' })
      const { page, context, problems } = await world().view('/runs')
      await page.getByRole('searchbox').fill('6 * 7')
      const rows = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
      await until(async () => (await rows.count()) === 2)
      await page.getByRole('combobox', { name: 'Agent' }).click()
      await page.getByRole('option', { name: 'decide' }).click()
      await until(async () => (await rows.count()) === 1)
      assert.match(await rows.first().innerText(), /What is 6 \* 7\?[^]*decide[^]*42/)
      assert.match(page.url(), /search=6.*agent=decide|agent=decide.*search=6/)
      await page.reload()
      await rows.first().waitFor()
      assert.equal(await rows.count(), 1)
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}
