import type { RunView } from 'echelon/client'
import { Empty } from '../pieces/empty.tsx'
import { LongList } from '../pieces/long-list.tsx'
import { modelColor } from './model-color.ts'
import { MomentCard } from './moments/moment-card.tsx'
import type { Moment } from './story/moment.ts'
import { rungsOf } from './story/rungs.ts'

interface TimelineProps {
  readonly run: RunView
  readonly story: readonly Moment[]
  readonly shown: string | undefined
}

const CARD_PX = 96

/** The events of a run in their order. */
export function Timeline({ run, story, shown }: TimelineProps) {
  const rungs = rungsOf(story, run.end)
  const began = Date.parse(run.began_at)
  if (story.length === 0) {
    return run.end === null ? null : (
      <Empty title="This run has no stored events">
        Its steps are under time travel, and its records are in the journal.
      </Empty>
    )
  }
  return (
    <LongList items={story} keyOf={({ key }) => key} label="Timeline" height={CARD_PX} goTo={shown}>
      {(moment) => (
        <MomentCard
          moment={moment}
          run={run}
          since={moment.at - began}
          isShown={moment.key === shown}
          color={moment.model === undefined ? undefined : modelColor(rungs.indexOf(moment.model))}
        />
      )}
    </LongList>
  )
}
