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

/** Whether a reply changes an order, brings a colleague, or is passed on to one. */
async function acts({ customer, before, text }: Reply): Promise<boolean> {
  const { data: kept } = await writes(customer, before)
  const { data, answers } = await writes(customer, before, text)
  const orders = async (from: typeof data): Promise<string> =>
    JSON.stringify(await from.listOrders(customer))
  const isChanged = (await orders(data)) !== (await orders(kept))
  return isChanged || /your ticket is|passed it on/u.test(answers.at(-1) ?? '')
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
