import { isObject } from './fields.ts'
import type { Moment, MomentOf } from './moment.ts'

/** A moment as a step on the way of the task over the models. */
export interface Stair {
  readonly key: string
  readonly kind: 'model' | 'tools' | 'check' | 'good' | 'bad' | 'up' | 'person' | 'end'
  /** The row: 0 is the smallest model. */
  readonly rung: number
  /** A word or two. */
  readonly label: string
  readonly title: string
  readonly ms: number | undefined
  readonly isOpen: boolean
}

/** The moments that show how the task went up; the timeline has them all. */
export function stairsOf(story: readonly Moment[], rungs: readonly string[]): readonly Stair[] {
  const stairs: Stair[] = []
  let rung = 0
  for (const moment of story) {
    const named = moment.model === undefined ? -1 : rungs.indexOf(moment.model)
    if (named >= 0) rung = named
    const shown = shownAs(moment)
    if (shown === undefined) continue
    stairs.push({
      key: moment.key,
      title: moment.title,
      rung,
      ms: undefined,
      isOpen: false,
      ...shown,
    })
  }
  return stairs
}

type Shown = Pick<Stair, 'kind' | 'label'> & Partial<Stair>

function shownAs(moment: Moment): Shown | undefined {
  switch (moment.type) {
    case 'model': {
      const { ended, at, plan, tone } = moment
      const says = isObject(plan) && 'cannot' in plan ? 'declines' : 'plans'
      const label = tone === 'bad' ? 'fails' : plan === undefined ? 'answers' : says
      const time = ended === undefined ? {} : { ms: ended - at }
      return {
        kind: 'model',
        label: ended === undefined ? 'thinks' : label,
        isOpen: ended === undefined,
        ...time,
      }
    }
    case 'tools': {
      const { calls, isCheck } = moment
      const ends = calls.map(({ ended }) => ended)
      const label = isCheck ? 'checks' : (calls[0]?.tool ?? 'tools').replaceAll('_', ' ')
      return {
        kind: isCheck ? 'check' : 'tools',
        label: calls.length > 1 && !isCheck ? `${label} +${calls.length - 1}` : label,
        isOpen: calls.length === 0 || ends.includes(undefined),
      }
    }
    case 'verdict':
      return { kind: moment.tone === 'good' ? 'good' : 'bad', label: verdictLabel(moment) }
    case 'gate':
      // A promotion has a step of its own.
      return moment.decision === 'accept' || moment.decision === 'stop'
        ? { kind: 'end', label: endLabel(moment) }
        : undefined
    case 'promotion':
      return { kind: 'up', label: 'promoted' }
    case 'person':
      return {
        kind: 'person',
        label: moment.reply === undefined ? 'waits' : 'answered',
        isOpen: moment.reply === undefined,
      }
    case 'said':
    case 'note':
    case 'end':
      return undefined
  }
}

const endLabel = ({ decision, tone }: MomentOf<'gate'>): string =>
  decision === 'stop' ? 'stopped' : tone === 'good' ? 'accepted' : 'taken'

const verdictLabel = ({ tone, title }: Moment): string =>
  title.startsWith('Supported') ? 'supported' : tone === 'good' ? 'verified' : 'not verified'
