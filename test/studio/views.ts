import type { World } from './world.ts'

/** A view with its picture's name. */
export interface View {
  readonly name: string
  readonly path: string
  /** A text that tells that the view is there. */
  readonly shows: string | RegExp
}

const TRAIN = 'A train travels 60 miles in 1.5 hours. What is its average speed?'

/** All views of the page, with something on each. */
export async function viewsOf({ run }: World): Promise<readonly View[]> {
  const promoted = await run({ agent: 'decide', input: TRAIN })
  const proved = await run({ agent: 'decide', input: 'What is 15 * 23?' })
  const id = encodeURIComponent(promoted.id)
  const other = encodeURIComponent(proved.id)
  return [
    { name: 'home', path: '/', shows: 'Home' },
    { name: 'runs', path: '/runs', shows: 'Proved' },
    { name: 'start', path: '/runs/new?agent=decide', shows: 'Task' },
    { name: 'run', path: `/runs/${id}`, shows: /^Accepted/ },
    { name: 'budget', path: `/runs/${id}?tab=budget`, shows: 'By model' },
    { name: 'messages', path: `/runs/${id}?tab=messages`, shows: /^Call 2/ },
    { name: 'journal', path: `/runs/${id}?tab=journal`, shows: 'Journal' },
    { name: 'events', path: `/runs/${id}?tab=events`, shows: 'run-start' },
    { name: 'time-travel', path: `/runs/${id}/steps`, shows: 'What it changed' },
    { name: 'compare', path: `/compare?a=${other}&b=${id}`, shows: /^They went apart/ },
    { name: 'conversations', path: '/conversations', shows: 'Conversations' },
    { name: 'approvals', path: '/approvals', shows: 'Approvals' },
    { name: 'evaluations', path: '/evaluations', shows: 'Evaluations' },
    { name: 'costs', path: '/costs', shows: 'Costs' },
  ]
}
