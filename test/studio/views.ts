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

/** A refund that waits, a draft that was pulled back, and an evaluation; once. */
async function prepare({ run, client }: World): Promise<void> {
  const known = await client.runs.list({ agent: 'support', session: 'pictured' })
  if (known.runs.length > 0) return
  for (const input of REFUND) {
    const options = { customer_id: 'C-008' }
    await run({ agent: 'support', session: 'pictured', input, options })
  }
  await run({ agent: 'counsel', session: 'pictured', input: 'Should I move to another town?' })
  await run({ agent: 'climbing', input: 'What is the capital of France?' })
  const { id } = await client.evaluations.start('sums')
  while ((await client.evaluations.get(id)).status === 'running') await setTimeout(50)
}

/** All views of the page, with something on each. */
export async function viewsOf(world: World): Promise<readonly View[]> {
  const { run } = world
  await prepare(world)
  const promoted = await run({ agent: 'decide', input: TRAIN })
  const proved = await run({ agent: 'decide', input: 'What is 15 * 23?' })
  const id = encodeURIComponent(promoted.id)
  const other = encodeURIComponent(proved.id)
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
    { name: 'compare', path: `/compare?a=${other}&b=${id}`, shows: /^They went apart/ },
    { name: 'conversations', path: '/conversations', shows: 'I want a refund for order O-12367' },
    { name: 'support', path: '/conversations/support/pictured', shows: 'waits for a person' },
    { name: 'assist', path: '/conversations/counsel/pictured', shows: 'A draft was pulled back' },
    { name: 'approvals', path: '/approvals', shows: 'Why you are asked:' },
    { name: 'evaluations', path: '/evaluations', shows: 'max_wrong_accept_rate' },
    { name: 'frontier', path: '/evaluations?set=traffic', shows: /^Threshold:/ },
    { name: 'costs', path: '/costs', shows: 'How are the savings estimated?' },
  ]
}
