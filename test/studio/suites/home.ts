import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { World } from '../world.ts'

/** The first clicks of a newcomer: a proved task, a promoted one, and a refund that waits for a person. */
export function home(world: () => World): void {
  suite('home', () => {
    test('a click runs the sum, and the run tells that the small model was enough', async () => {
      const { page, context, problems } = await world().view('/')
      await page.getByText('cheapest model whose answer can be verified').waitFor()
      await page.getByRole('button', { name: 'Run it: What is 15 * 23?' }).click()
      await page.getByRole('heading', { level: 1, name: 'What is 15 * 23?' }).waitFor()
      await page.getByText('345', { exact: true }).first().waitFor()
      assert.equal(await page.getByText('promoted').count(), 0)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a click runs the task that is promoted', async () => {
      const { page, context, problems } = await world().view('/')
      await page.getByRole('button', { name: /^Run it: What date is two weeks before/ }).click()
      await page.getByText('Wednesday, April 3, 2024').first().waitFor()
      await page.getByText('The task goes from offline/small to offline/big.').waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a click asks for the refund; it waits on the home view, and is done once it is approved', async () => {
      // The agent learns its examples with its first message, and this process waits for it.
      await world().run({ agent: 'support', input: "Where's my order?" })
      const { page, context, problems } = await world().view('/')
      await page.getByRole('button', { name: /^Run it: I want a refund/ }).click()
      await page.getByText('Shall I refund $139.50').waitFor()
      await page.getByRole('button', { name: 'Yes', exact: true }).click()
      await page.getByText('A colleague has to approve that first.').waitFor()
      await page.getByRole('link', { name: 'Home', exact: true }).click()
      const card = page.getByRole('article', { name: 'issue refund?' })
      await card.getByText('a refund above 100 dollars has to be approved').waitFor()
      await card.getByRole('link', { name: 'a conversation with support' }).click()
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await page.getByText('Your refund of $139.50 for order O-12352 is on its way').waitFor()
      await page.getByText('A person decided what the agent may do.').waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('what was spent today is the sum of the runs of today', async () => {
      await world().run({ agent: 'clerk', input: 'Write HTML' })
      const today = new Date().toISOString().slice(0, 10)
      const { rows } = await world().client.costs({ since: today, until: today })
      const spent = rows.reduce((sum, { cost }) => sum + cost, 0)
      assert.ok(spent > 0)
      const { page, context, problems } = await world().view('/')
      const figure = page.getByRole('region', { name: 'Spent' })
      await figure.getByText('$').waitFor()
      const shown = await figure.innerText()
      const [, dollars = ''] = /\$([\d.]+)/.exec(shown) ?? []
      assert.ok(Math.abs(Number(dollars) - spent) < spent / 50, `${shown} is not ${spent}`)
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}
