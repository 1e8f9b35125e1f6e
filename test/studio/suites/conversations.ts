import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { inPage } from '../browser.ts'
import { HOSTILE } from '../scripted-agents.ts'
import { FLATTERY, HONEST } from '../scripted-assistant.ts'
import type { World } from '../world.ts'

/** Conversations stream, and what an agent does, asks and waits for is in its place in them. */
export function conversations(world: () => World): void {
  suite('conversations', () => {
    test('a new one is begun; the answer streams in, and the next message waits for it', async () => {
      const { page, context, problems } = await world().view('/conversations')
      await page.getByRole('link', { name: 'Talk with clerk' }).click()
      const box = page.getByRole('textbox', { name: 'Your message' })
      await box.fill('Tell slowly')
      await box.press('Enter')
      await page.getByText(/^word 0 /).waitFor()
      const early = (await page.getByText(/^word 0 /).innerText()).length
      assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true)
      await page.getByText(/word 59/).waitFor()
      assert.ok((await page.getByText(/^word 0 /).innerText()).length > early, 'it came in pieces')
      await box.fill('Write HTML')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText(HOSTILE).waitFor()
      assert.equal(await inPage(page, `'hacked' in globalThis`), false)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('tool calls are shown with input and result, and approvals are answered in place', async () => {
      const { page, context, problems } = await world().view('/conversations/clerk/paying')
      const box = page.getByRole('textbox', { name: 'Your message' })
      await box.fill('Pay 40 dollars')
      await box.press('Enter')
      await page.getByRole('heading', { name: 'It waits for you' }).waitFor()
      await page.getByRole('button', { name: 'Approve', exact: true }).click()
      await page.getByText('It is paid.').waitFor()
      await page.getByRole('button', { name: 'Used pay' }).click()
      await page.getByText('Result', { exact: true }).waitFor()
      assert.match(await page.getByRole('article').innerText(), /dollars[^]*40[^]*paid[^]*40/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a click that is faster than the page still speaks as the customer of the conversation', async () => {
      const input = 'Which orders do I have?'
      const options = { customer_id: 'C-015' }
      await world().run({ agent: 'support', session: 'hasty', input, options })
      const { page, context, problems } = await world().view('/')
      const [clicked, loads] = [Promise.withResolvers<void>(), '**/steps/0*']
      await page.route(loads, async (route) => {
        await clicked.promise
        await route.continue()
      })
      await page.goto('/studio/conversations/support/hasty')
      const box = page.getByRole('textbox', { name: 'Your message' })
      await box.fill("Where's order O-12392?")
      await box.press('Enter')
      clicked.resolve()
      await page
        .getByText(/O-12392 is /)
        .last()
        .waitFor()
      const { runs } = await world().client.runs.list({ agent: 'support', session: 'hasty' })
      assert.deepEqual(
        runs.map(({ status }) => status),
        ['finished', 'finished'],
      )
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the support agent shows its stages, and the steps of its plan', async () => {
      for (const input of ['I want a refund for order O-12407', 'yes']) {
        await world().run({
          agent: 'support',
          session: 'stages',
          input,
          options: { customer_id: 'C-020' },
        })
      }
      const { page, context, problems } = await world().view('/conversations/support/stages')
      const panel = page.getByRole('complementary', { name: 'How the agent works' })
      const plan = panel.getByRole('listitem').filter({ hasText: 'Call issue_refund' })
      assert.match(await plan.innerText(), /order_id "O-12407"[^]*waits for a person/)
      assert.match(
        await panel.innerText(),
        /Checked the rules[^]*a person has to allow it[^]*rule refund-alone/,
      )
      await page.getByRole('button', { name: 'Deny' }).click()
      await page.getByText('A person decided what the agent may do.').waitFor()
      // The customer of the conversation stays the same.
      const box = page.getByRole('textbox', { name: 'Your message' })
      await box.fill("Where's order O-12407?")
      await box.press('Enter')
      await page
        .getByText(/O-12407/)
        .last()
        .waitFor()
      await page.getByRole('article').nth(3).getByText('See the whole run').waitFor()
      assert.doesNotMatch(await page.getByRole('article').nth(3).innerText(), /couldn't find/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the assistant shows its layers, and why a draft was pulled back before it was shown', async () => {
      const { page, context, problems } = await world().view('/conversations/adviser/move')
      const box = page.getByRole('textbox', { name: 'Your message' })
      await box.fill('Should I move to another town?')
      await box.press('Enter')
      await page.getByText(HONEST).waitFor()
      assert.equal(await page.getByText(FLATTERY).count(), 0)
      const evaluation = page.getByRole('region', { name: 'Evaluation' })
      await evaluation.getByText('A draft was withdrawn').waitFor()
      assert.match(
        await evaluation.innerText(),
        /you never want sycophancy[^]*“What a brilliant, amazing question!”/,
      )
      assert.match(
        await page.getByRole('region', { name: 'Execution' }).innerText(),
        /2 drafts were written/,
      )
      assert.match(
        await page.getByRole('region', { name: 'Plan' }).innerText(),
        /short and on intent/,
      )
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('the user edits the intent, and an edit of another tab is not overwritten', async () => {
      const { view, client } = world()
      const tabs = [
        await view('/conversations/adviser/intent'),
        await view('/conversations/adviser/intent'),
      ]
      for (const { page } of tabs) {
        await page.getByRole('button', { name: 'Edit', exact: true }).click()
      }
      const [one, other] = tabs
      assert.ok(one !== undefined && other !== undefined)
      await one.page.getByLabel('Success').fill('Say it in one sentence')
      await one.page.getByRole('button', { name: 'Save' }).click()
      await one.page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
      await one.page.getByText('Say it in one sentence').waitFor()
      assert.equal(
        (await client.intent.get('adviser')).intent.current_success,
        'Say it in one sentence',
      )
      await other.page.getByLabel('Success').fill('Something else')
      await other.page.getByRole('button', { name: 'Save' }).click()
      const refused = other.page.getByText('the intent was changed meanwhile; read it again')
      await refused.waitFor()
      // Trying again with the same old text changes nothing either.
      const again = other.page.waitForResponse((answer) => answer.request().method() === 'PUT')
      await other.page.getByRole('button', { name: 'Save' }).click()
      assert.equal((await again).ok(), false)
      await refused.waitFor()
      assert.equal(
        (await client.intent.get('adviser')).intent.current_success,
        'Say it in one sentence',
      )
      assert.deepEqual(one.problems, [])
      for (const { context } of tabs) await context.close()
    })

    test('a long conversation shows its newest turns with what was done in them, and the earlier ones on demand', async () => {
      const { client, run, view } = world()
      for (let turn = 0; turn < 52; turn += 1) {
        await run({ agent: 'clerk', session: 'long', input: `Look at ${turn}` })
      }
      const { page, context, problems } = await view('/conversations/clerk/long')
      const turns = page.getByRole('article', { name: 'A turn' })
      await page.getByText('Look at 51', { exact: true }).waitFor()
      assert.equal(await turns.count(), 50)
      // Each turn has its tool calls.
      await page.getByRole('button', { name: 'Used look' }).nth(49).waitFor()
      // Finished runs are not fetched again.
      await page.waitForTimeout(2000)
      let asked = 0
      page.on('request', (request) => {
        if (/\/runs\/[^/?]+$/.test(request.url())) asked += 1
      })
      await page.waitForTimeout(2000)
      assert.equal(asked, 0)
      await page.getByRole('button', { name: 'Show earlier messages' }).click()
      await page.getByText('Look at 0', { exact: true }).waitFor()
      assert.equal(await turns.count(), 52)
      assert.deepEqual(problems, [])
      await context.close()
      await client.sessions.delete('clerk', 'long')
    })

    test('a message whose answer was lost is sent again, and runs once', async () => {
      const { client, view } = world()
      const { page, context } = await view('/conversations/clerk/once')
      let lost = 0
      await page.route(/\/runs$/, async (route) => {
        if (route.request().method() !== 'POST' || lost > 0) return route.continue()
        lost += 1
        await route.fetch()
        await route.abort()
      })
      const box = page.getByRole('textbox', { name: 'Your message' })
      await box.fill('Write HTML')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('alert').first().waitFor()
      const sent = page.waitForResponse((answer) => answer.request().method() === 'POST')
      if ((await box.inputValue()) !== '') await page.getByRole('button', { name: 'Send' }).click()
      assert.equal((await sent).ok(), true)
      assert.equal(lost, 1)
      assert.equal((await client.runs.list({ agent: 'clerk', session: 'once' })).runs.length, 1)
      await context.close()
    })

    test('a question for a choice or a yes is answered by a form', async () => {
      const { client, view } = world()
      const { id } = await client.runs.start({ agent: 'clerk', input: 'Ask me first' })
      const { page, context, problems } = await view(`/runs/${id}`)
      await page.getByRole('combobox', { name: 'How is it sent?' }).click()
      await page.getByRole('option', { name: 'by post' }).click()
      await page.getByRole('button', { name: 'Answer', exact: true }).click()
      const { end } = await client.runs.end(id)
      assert.equal(end?.text, 'It is sent.')
      const { steps } = await client.runs.steps(id)
      assert.match(JSON.stringify(steps.map(({ seen }) => seen)), /by post/)
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('conversations are listed by how they began, and deleted after a question', async () => {
      await world().run({ agent: 'chat', session: 'goes', input: 'What is 8 * 8?' })
      const { page, context, problems } = await world().view('/conversations')
      await page.getByRole('link', { name: /What is 8 \* 8\?/ }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Delete it' }).click()
      await page.getByRole('heading', { level: 1, name: 'Conversations' }).waitFor()
      await page.waitForFunction(`!document.body.textContent.includes('What is 8 * 8?')`)
      assert.deepEqual(problems, [])
      await context.close()
    })
  })
}
