import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { share } from '../../share.ts'
import { inPage, until } from '../browser.ts'
import { openLine } from '../cut-line.ts'
import type { World } from '../world.ts'

const LONGEST_TASK_MS = 200

/** Runs whose page must stay quick; one of them each day. */
const LONG_RUNS = [
  { name: '5,000 events', input: 'Write much', tab: 'events' },
  { name: 'a timeline of 800 moments', input: 'Work long', tab: 'timeline' },
] as const

/** An open page receives new events: once, in every tab, also after a break. */
export function live(world: () => World): void {
  suite('live', () => {
    test('a run is shown as it happens, and two tabs see the same', async () => {
      const { client, view, gate } = world()
      const { id } = await client.runs.start({ agent: 'clerk', input: 'Wait for me' })
      const tabs = [await view(`/runs/${id}`), await view(`/runs/${id}`)]
      const list = await view('/runs?search=Wait')
      await list.page.getByRole('listitem').getByText('Running').waitFor()
      for (const { page } of tabs) {
        await page.getByText('Works …').waitFor()
        await page.getByRole('button', { name: 'Cancel' }).waitFor()
      }
      gate.open()
      for (const { page } of tabs) await page.getByText('It went on.').first().waitFor()
      const [one = '', other] = await Promise.all(tabs.map(({ page }) => told(page)))
      assert.match(one, /Uses wait_here[^]*It went on\./)
      assert.equal(other, one)
      await list.page.getByRole('listitem').getByText('Finished').waitFor()
      for (const { context, problems } of [...tabs, list]) {
        assert.deepEqual(problems, [])
        await context.close()
      }
    })

    test('a run is canceled', async () => {
      const { client, view } = world()
      const { id } = await client.runs.start({ agent: 'clerk', input: 'Wait for me' })
      const { page, context, problems } = await view(`/runs/${id}`)
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText('Canceled', { exact: true }).first().waitFor()
      assert.equal((await client.runs.end(id)).status, 'canceled')
      assert.deepEqual(problems, [])
      await context.close()
    })

    test('a tool that waits for approval is approved in the timeline, in one of two tabs', async () => {
      const { client, view } = world()
      const { id } = await client.runs.start({ agent: 'clerk', input: 'Pay 40 dollars' })
      const [one, other] = [await view(`/runs/${id}`), await view(`/runs/${id}`)]
      await other.page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
      await one.page.getByRole('button', { name: 'Approve', exact: true }).click()
      for (const { page } of [one, other]) {
        await page.getByText('It is paid.').first().waitFor()
        assert.equal(await page.getByRole('button', { name: 'Approve', exact: true }).count(), 0)
      }
      await one.context.close()
      await other.context.close()
    })

    test('a connection that breaks is opened again, and nothing is lost or doubled', async () => {
      const { client, view, url } = world()
      const line = await openLine(url)
      try {
        const { id } = await client.runs.start({ agent: 'clerk', input: 'Tell slowly' })
        const { page, context } = await view(`/runs/${id}`, { url: line.url })
        for (let cuts = 0; cuts < 2; cuts++) {
          await page
            .getByText(new RegExp(`word ${cuts * 12 + 3} `))
            .first()
            .waitFor()
          line.cut()
          await page.getByText('The server does not answer').waitFor()
          line.mend()
        }
        const { end } = await client.runs.end(id)
        await page.getByText('Answer', { exact: true }).waitFor()
        await until(async () => (await page.getByText('The server does not answer').count()) === 0)
        await page.getByRole('tab', { name: 'Events' }).click()
        const events = client.runs.events(id)
        const ids: string[] = []
        for await (const event of events) ids.push(event.id)
        const shown = await page.getByRole('listitem').first().getAttribute('aria-setsize')
        assert.equal(Number(shown), ids.length)
        await page.getByRole('tab', { name: 'Timeline' }).click()
        assert.ok((await told(page)).includes((end?.text ?? '').trim()))
        await context.close()
      } finally {
        await line.close()
      }
    })

    for (const { name, input, tab } of share(LONG_RUNS, 1)) {
      test(`${name} stay smooth while they are scrolled`, async (t) => {
        const { id } = await world().run({ agent: 'clerk', input })
        const { page, context, problems } = await world().view(`/runs/${id}?tab=${tab}`)
        await page.getByRole('listitem').first().waitFor()
        const setSize = await page.getByRole('listitem').first().getAttribute('aria-setsize')
        assert.ok(Number(setSize) >= (tab === 'events' ? 5000 : 800), `${setSize}`)
        const longest = await longestTaskWhile(page, async () => {
          for (let turns = 0; turns < 25; turns++) {
            await page.mouse.wheel(0, 2500)
            await page.waitForTimeout(20)
          }
          await inPage(page, 'scrollTo(0, document.body.scrollHeight)')
          await page.waitForTimeout(200)
        })
        assert.ok(longest <= LONGEST_TASK_MS, `${longest} ms`)
        t.diagnostic(`the longest task took ${longest.toFixed(0)} ms`)
        assert.ok((await page.locator('main li').count()) < 100)
        assert.deepEqual(problems, [])
        await context.close()
      })
    }
  })
}

/** Returns the text of the timeline without times. */
const told = async (page: Page): Promise<string> => {
  const text = await page.getByRole('list', { name: 'Timeline' }).innerText()
  return text.replaceAll(/[+]?\d+(\.\d+)? m?s\b/g, 'T')
}

/**
 * The longest task of the page while something is done, in milliseconds of the processor: what else the machine
 * does is not the page's.
 */
async function longestTaskWhile(page: Page, act: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()
  assert.ok(browser !== null)
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await page.mouse.move(700, 500)
  await act()
  const trace = traced.parse(JSON.parse((await browser.stopTracing()).toString()))
  const tasks = trace.traceEvents.filter(({ name }) => name.endsWith('RunTask'))
  assert.ok(tasks.length > 100, 'the trace holds no tasks')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}

const traced = z.object({
  traceEvents: z.array(z.object({ name: z.string(), tdur: z.number().optional() })),
})
