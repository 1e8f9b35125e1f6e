import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { share } from '../share.ts'
import { writes } from './writes.ts'

/** Replies that people wrote to what waits for a yes, and whether they agree. */
const FILE = new URL('../../datasets/support-replies.tsv', import.meta.url)
/** Replies that are tried each day. */
const MOST = 120
const LEAST_TAKEN = 0.9

interface Reply {
  readonly agrees: boolean
  readonly customer: string
  readonly before: string
  readonly text: string
}

const REPLIES = readFileSync(FILE, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line): Reply => {
    const [agrees, customer = '', before = '', text = ''] = line.split('\t')
    return { agrees: agrees === 'yes', customer, before, text }
  })

/** Whether a reply changes an order, is passed on to a colleague, or brings one. */
async function acts({ customer, before, text, agrees }: Reply): Promise<boolean> {
  const { data: kept, answers: offers } = await writes(customer, before)
  const { data, answers } = await writes(customer, before, text)
  const orders = async (from: typeof data): Promise<string> =>
    JSON.stringify(await from.listOrders(customer))
  const isChanged = (await orders(data)) !== (await orders(kept))
  const [answer = '', offer = ''] = [answers.at(-1), offers.at(-1)]
  // A colleague in place of what was agreed to is no consent that was taken.
  const mayBring = !agrees || /get a colleague/u.test(offer)
  return isChanged || /passed it on/u.test(answer) || (mayBring && /your ticket is/u.test(answer))
}

test('[S-19] nothing is done after a reply that does not agree', async () => {
  const others = share(
    REPLIES.filter(({ agrees }) => !agrees),
    MOST,
  )
  const acted: string[] = []
  for (const reply of others) if (await acts(reply)) acted.push(`${reply.before} / ${reply.text}`)
  assert.deepEqual(acted, [])
})

test('[S-13] most replies that agree are taken at once, in whatever words', async () => {
  const agreeing = share(
    REPLIES.filter(({ agrees }) => agrees),
    MOST,
  )
  const asked: string[] = []
  for (const reply of agreeing) if (!(await acts(reply))) asked.push(reply.text)
  assert.ok(asked.length <= (1 - LEAST_TAKEN) * agreeing.length, asked.join('\n'))
})
