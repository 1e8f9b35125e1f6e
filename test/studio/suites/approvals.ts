import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { World } from '../world.ts'

/** All that waits for a person is in one place, with the action, the customer and the rule. */
export function approvals(world: () => World): void {
  suite('approvals', () => {
    test('a call is always approved, and the next one of its conversation needs no approval', async () => {
      const { client, view } = world()
      const ask = () =>
        client.runs.start({ agent: 'clerk', session: 'good', input: 'Pay 40 dollars' })
      const { id } = await ask()
      const { page, context, problems } = await view('/approvals')
      const card = page.getByRole('article', { name: 'pay?' }).first()
      assert.match(
        await card.innerText(),
        /Dollars\s+40[^]*pay runs only when it is approved[^]*Asked by you/,
      )
      await card.getByRole('button', { name: 'Always approve' }).click()
      assert.equal((await client.runs.end(id)).end?.text, 'It is paid.')
      const again = await ask()
      assert.equal((await client.runs.end(again.id)).end?.text, 'It is paid.')
      await page.waitForFunction(`!document.body.textContent.includes('Always approve')`)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a call is denied once, or for good', async () => {
      const { client, view } = world()
      for (const [label, session] of [
        ['Deny', 'once'],
        ['Never approve', 'never'],
      ] as const) {
        const { id } = await client.runs.start({
          agent: 'clerk',
          session,
          input: 'Pay 40 dollars',
        })
        const { page, context, problems } = await view('/approvals')
        const card = page.getByRole('article', { name: 'pay?' }).first()
        await card.getByRole('button', { name: label, exact: true }).click()
        await client.runs.end(id)
        const { steps } = await client.runs.steps(id)
        const called = steps.find(({ seen }) => seen?.type === 'tools-called')?.seen
        assert.match(JSON.stringify(called), /"type":"denied"/)
        if (session === 'never') await neverAgain(world())
        assert.deepEqual(problems, [])
        await context.close()
      }
    })

    test('without anything that waits, the view says so', async () => {
      const { client, view } = world()
      for (const approval of await client.approvals.list()) {
        await client.approvals.answer(approval, { choice: 'deny' })
      }
      const { page, context, problems } = await view('/approvals')
      await page.getByText('Nothing waits for you').waitFor()
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}

/** The next call of the conversation is denied without asking. */
async function neverAgain({ client, run }: World): Promise<void> {
  const { id } = await run({ agent: 'clerk', session: 'never', input: 'Pay 40 dollars' })
  const { steps } = await client.runs.steps(id)
  assert.match(JSON.stringify(steps.map(({ seen }) => seen)), /"type":"denied"/)
  assert.deepEqual(
    (await client.approvals.list()).filter(({ session }) => session === 'never'),
    [],
  )
}
