import { setTimeout } from 'node:timers/promises'
import type { World } from './world.ts'

/** A view with its picture's name. */
export interface View {
  readonly name: string
  readonly path: string
  /** A text that tells that the view is there. */
  readonly shows: string | RegExp
}

const TRAIN = 'A train travels 60 miles in 1.5 hours. What is its average speed?'

const REFUND = ['I want a refund for order O-12367', 'yes'] as const

/** Of the conversations. */
const CALLED = 'moving'

/** A refund that waits, a draft that was pulled back, and an evaluation; once. */
async function prepare({ run, client }: World): Promise<void> {
  const known = await client.runs.list({ agent: 'support', session: CALLED })
  if (known.runs.length > 0) return
  for (const input of REFUND) {
    const options = { customer_id: 'C-008' }
    await run({ agent: 'support', session: CALLED, input, options })
  }
  await run({ agent: 'adviser', session: CALLED, input: 'Should I move to another town?' })
  for (const country of ['Japan', 'Italy', 'France', 'Peru']) {
    await run({ agent: 'capitals', input: `What is the capital of ${country}?` })
  }
  const { id } = await client.evaluations.start('sums')
  while ((await client.evaluations.get(id)).status === 'running') await setTimeout(50)
}

/** All views of the page, with something on each. */
export async function viewsOf(world: World): Promise<readonly View[]> {
  const { run } = world
  await prepare(world)
  const promoted = await run({ agent: 'decide', input: TRAIN })
  await run({ agent: 'decide', input: 'What is 15 * 23?' })
  // The same task, with the big model in the place of the small one.
  const models = { small: 'offline/big' }
  const fork = await world.client.runs.end(
    (await world.client.runs.fork(promoted.id, { at: 0, models })).id,
  )
  const id = encodeURIComponent(promoted.id)
  const other = encodeURIComponent(fork.id)
  return [
    { name: 'home', path: '/', shows: 'Why you are asked:' },
    { name: 'runs', path: '/runs', shows: 'Proved' },
    { name: 'start', path: '/runs/new?agent=decide', shows: 'Task' },
    { name: 'run', path: `/runs/${id}`, shows: /^Accepted/ },
    { name: 'budget', path: `/runs/${id}?tab=budget`, shows: 'By model' },
    { name: 'messages', path: `/runs/${id}?tab=messages`, shows: /^Call 2/ },
    { name: 'journal', path: `/runs/${id}?tab=journal`, shows: 'Journal' },
    { name: 'events', path: `/runs/${id}?tab=events`, shows: 'run-start' },
    { name: 'time-travel', path: `/runs/${id}/steps`, shows: 'What it changed' },
    { name: 'compare', path: `/compare?a=${id}&b=${other}`, shows: /^They went apart/ },
    { name: 'conversations', path: '/conversations', shows: 'I want a refund for order O-12367' },
    { name: 'support', path: '/conversations/support/moving', shows: 'waits for a person' },
    { name: 'assist', path: '/conversations/adviser/moving', shows: 'A draft was withdrawn' },
    { name: 'approvals', path: '/approvals', shows: 'Why you are asked:' },
    { name: 'evaluations', path: '/evaluations', shows: 'max_wrong_accept_rate' },
    { name: 'frontier', path: '/evaluations?set=traffic', shows: /^Threshold:/ },
    { name: 'costs', path: '/costs', shows: 'How are the savings estimated?' },
  ]
}
