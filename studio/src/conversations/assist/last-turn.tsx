import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { runQuery } from '../../api/queries.ts'
import { useRunFeed } from '../../api/run-feed.ts'
import { objectOf } from '../../run/story/fields.ts'
import { decisionsIn, type LayerDecision } from './decisions.ts'
import { Decisions } from './decisions-shown.tsx'
import { draftsTold, driftsIn } from './drifts.ts'
import { DriftNotes } from './drift-notes.tsx'
import { Layer } from './layer.tsx'
import { PlanShown } from './plan-shown.tsx'
import { EvaluationShown } from './evaluation-shown.tsx'

/** The work of the other three layers in the last turn. */
export function LastTurn({ turn }: { readonly turn: RunSummaryView }) {
  const { events, end: over } = useRunFeed(turn.id)
  const { data } = useQuery(runQuery(turn.id))
  const details = (over ?? data)?.end?.details ?? {}
  const decisions = decisionsIn(details['why'])
  const by = (layer: LayerDecision['layer']): readonly LayerDecision[] =>
    decisions.filter((one) => one.layer === layer)
  return (
    <>
      <Layer rank={2} title="Plan" what="How it goes about it, within the intent.">
        <PlanShown plan={objectOf(details, 'plan')} />
        <Decisions decisions={by('planner')} />
      </Layer>
      <Layer rank={3} title="Execution" what="The draft that it writes by the plan.">
        <Text size="sm">{draftsTold(events)}</Text>
        <Decisions decisions={by('executor')} />
      </Layer>
      <Layer
        rank={4}
        title="Evaluation"
        what="Whether the draft is what you want, before you see it."
      >
        <DriftNotes drifts={driftsIn(events)} />
        <EvaluationShown evaluation={objectOf(details, 'evaluation')} />
        <Decisions decisions={[...by('evaluator'), ...by('intent')]} />
      </Layer>
    </>
  )
}
