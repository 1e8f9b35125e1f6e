import type { AgentView } from 'echelon/client'

/** A task to click, for first-time users. */
export interface Task {
  readonly title: string
  readonly asks: string
  /** The feature that the task demonstrates. */
  readonly shows: string
  readonly agent: string
  readonly options?: Readonly<Record<string, string>>
  /** Whether it is a turn of a conversation, which continues there. */
  readonly isTalk: boolean
}

const TASKS: readonly Task[] = [
  {
    title: 'Proved by the small model',
    asks: 'What is 15 * 23?',
    shows: 'The answer can be checked, so no bigger model is asked.',
    agent: 'decide',
    isTalk: false,
  },
  {
    title: 'Promoted to the big model',
    asks: 'What date is two weeks before 45 days after March 3, 2024?',
    shows:
      'The small model cannot solve it, so the big model gets the task, with what is known so far.',
    agent: 'decide',
    isTalk: false,
  },
  {
    title: 'A refund that waits for you',
    asks: 'I want a refund for order O-12352',
    shows: 'A rule requires a person’s approval for refunds above 100 dollars.',
    agent: 'support',
    options: { customer_id: 'C-003' },
    isTalk: true,
  },
]

/** Those that this server has the agents for. */
export const tasksFor = (agents: readonly AgentView[]): readonly Task[] =>
  TASKS.filter(({ agent }) => agents.some(({ name }) => name === agent))
