import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { World } from '../world.ts'

/** Costs by day, agent, model and user, and what was saved, with the method. */
export function costs(world: () => World): void {
  suite('costs', () => {
    test('the rows are those of the server, by each group', async () => {
      await world().run({ agent: 'clerk', input: 'Write HTML' })
      const { page, context, problems } = await world().view('/costs')
      await page.getByRole('figure', { name: 'Costs' }).locator('svg').first().waitFor()
      for (const [label, name] of [
        ['Agent', /^clerk/],
        ['Model', /^test\/model/],
        ['User', /^local/],
      ] as const) {
        await page.getByText(label, { exact: true }).first().click()
        const row = page.getByRole('row', { name })
        await row.waitFor()
        assert.match(await row.innerText(), /\$0\.\d+/)
      }
      assert.match(page.url(), /by=user/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('what was saved is told with its method', async () => {
      await world().run({ agent: 'capitals', input: 'What is the capital of France?' })
      const { saved } = await world().client.costs()
      assert.ok(saved.runs > 0)
      const { page, context, problems } = await world().view('/costs')
      await page.getByRole('button', { name: 'How are the savings estimated?' }).click()
      await page.getByText(saved.method).waitFor()
      await page.getByText(new RegExp(`^${saved.runs} runs? (is|are) compared here`)).waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}
