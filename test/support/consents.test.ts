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

interface State {
  readonly orders: string
  readonly answer: string
}

/** Many replies follow the same messages, which are played once. */
const states = new Map<string, Promise<State>>()

function stateAfter(customer: string, ...texts: readonly string[]): Promise<State> {
  const key = JSON.stringify([customer, ...texts])
  const known = states.get(key)
  if (known !== undefined) return known
  const played = writes(customer, ...texts).then(async ({ data, answers }): Promise<State> => ({
    orders: JSON.stringify(await data.listOrders(customer)),
    answer: answers.at(-1) ?? '',
  }))
  states.set(key, played)
  return played
}

/** Whether a reply changes an order, is passed on to a colleague, or brings one. */
async function acts({ customer, before, text, agrees }: Reply): Promise<boolean> {
  const kept = await stateAfter(customer, before)
  const { orders, answer } = await stateAfter(customer, before, text)
  const isChanged = orders !== kept.orders
  // A colleague in place of what was agreed to is no consent that was taken.
  const mayBring = !agrees || /get a colleague/u.test(kept.answer)
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
