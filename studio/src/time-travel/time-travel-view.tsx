import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { StepList, StepView } from 'echelon/client'
import { runQuery, stepQuery, stepsQuery } from '../api/queries.ts'
import { useRunFeed } from '../api/run-feed.ts'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { ButtonLink, TextLink } from '../pieces/links.tsx'
import { Page } from '../pieces/page.tsx'
import { ForkButton } from './fork-button.tsx'
import { timeTravelRoute } from './route.ts'
import { StepSlider } from './step-slider.tsx'
import { StepDetails } from './step-details.tsx'

/** The states of a run, step by step, and forks from any of them. */
export function TimeTravelView() {
  const { run } = timeTravelRoute.useParams()
  const { data } = useQuery(runQuery(run))
  const { events } = useRunFeed(run)
  // A run in progress gets new steps.
  const closed = events.filter(({ event }) => event.type === 'step-end').length
  const query = useQuery(stepsQuery(run, closed))
  return (
    <Page
      title="Time travel"
      lead={
        <>
          Every step of{' '}
          <TextLink to="/runs/$run" params={{ run }}>
            {data?.asked ?? 'this run'}
          </TextLink>
          , with the state before and after it.
        </>
      }
      actions={
        <ButtonLink to="/runs/$run" params={{ run }} variant="default">
          Back to the run
        </ButtonLink>
      }
    >
      <Asked query={query}>{(list) => <Travel list={list} agent={data?.agent} />}</Asked>
    </Page>
  )
}

interface TravelProps {
  readonly list: StepList
  readonly agent: string | undefined
}

function Travel({ list, agent }: TravelProps) {
  const { step: asked = list.first } = timeTravelRoute.useSearch()
  const navigate = useNavigate({ from: '/runs/$run/steps' })
  // Steps of sub-runs are within a step of the run.
  const steps = list.steps.filter(({ path }) => path === '').toSorted((a, b) => a.seq - b.seq)
  const shown = steps.find(({ seq }) => seq === asked) ?? steps[0]
  if (shown === undefined) return <Empty title="This run has no steps yet" />
  const go = (step: number): void => {
    void navigate({ search: { step }, replace: true, resetScroll: false })
  }
  return (
    <Stack gap="lg">
      {list.unknown !== null && <Alert color="yellow">{list.unknown}</Alert>}
      <StepSlider steps={steps} shown={shown.seq} onGo={go}>
        <ForkButton run={list.run} step={shown} models={list.models} agent={agent} />
      </StepSlider>
      <Shown run={list.run} step={shown} />
    </Stack>
  )
}

function Shown({ run, step }: { readonly run: string; readonly step: StepView }) {
  const query = useQuery(stepQuery(run, step.seq))
  return <Asked query={query}>{(state) => <StepDetails state={state} />}</Asked>
}
