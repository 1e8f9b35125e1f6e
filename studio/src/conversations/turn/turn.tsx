import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RunSummaryView } from 'echelon/client'
import { useMemo } from 'react'
import { runQuery } from '../../api/queries.ts'
import { useRunFeed } from '../../api/run-feed.ts'
import { Problem } from '../../pieces/problem.tsx'
import { storyOf } from '../../run/story/story.ts'
import { Artifacts } from '../../run/artifacts.tsx'
import classes from './turn.module.css'
import { TurnFacts } from './turn-facts.tsx'
import { TurnWork } from './turn-work.tsx'
import { saidIn } from './said-in.ts'

interface TurnProps {
  readonly turn: RunSummaryView
  readonly isLast: boolean
}

/** A turn: what the user said, what the agent did, and what it answered, as it comes. */
export function Turn({ turn, isLast }: TurnProps) {
  const feed = useRunFeed(turn.id)
  const { data } = useQuery({
    ...runQuery(turn.id),
    refetchInterval: ({ state }) =>
      feed.end === undefined && (state.data?.end ?? null) === null ? REFRESH_MS : false,
  })
  const run = feed.end ?? data
  const story = useMemo(() => storyOf(feed.events), [feed.events])
  const texts = saidIn(story, run?.end ?? null)
  const isWorking = run?.end === null && run.status === 'running'
  return (
    <article className={classes['turn']} aria-label="A turn">
      {turn.asked === null || turn.asked === '' ? (
        <Text size="sm" c="dimmed" ta="center">
          A person decided what the agent may do.
        </Text>
      ) : (
        <div className={classes['user']}>{turn.asked}</div>
      )}
      {run !== undefined && <TurnWork story={story} run={run} />}
      {/* A text that grows is told once it is whole. */}
      <div aria-live={isLast ? 'polite' : 'off'} aria-busy={isWorking}>
        {texts.map((text, index) => (
          <div className={classes['agent']} key={index}>
            {text}
          </div>
        ))}
        {isWorking && texts.length === 0 && <Writing />}
      </div>
      {feed.error !== undefined && <Problem error={feed.error} />}
      {run !== undefined && <Artifacts run={run} />}
      {run !== undefined && <TurnFacts run={run} />}
    </article>
  )
}

const REFRESH_MS = 1500

/** Something is coming. */
const Writing = () => (
  <output className={classes['writing']} aria-label="The agent works">
    <span />
    <span />
    <span />
  </output>
)
