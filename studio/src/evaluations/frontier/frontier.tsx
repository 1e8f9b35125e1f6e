import '@mantine/charts/styles.css'
import { Select, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TuneView } from 'echelon/client'
import { useState } from 'react'
import { Asked } from '../../pieces/asked.tsx'
import { Empty } from '../../pieces/empty.tsx'
import { tuneQuery } from '../queries.ts'
import { evaluationsRoute } from '../route.ts'
import { FrontierChart } from './frontier-chart.tsx'
import { gatedLadders, nearestTo } from './points.ts'
import { ThresholdFigures } from './threshold-figures.tsx'
import { ThresholdSlider } from './threshold-slider.tsx'

/** The frontier of cost against accuracy of recorded answers, and what a threshold would give. */
export default function Frontier({ sets }: { readonly sets: readonly string[] }) {
  const { set } = evaluationsRoute.useSearch()
  const navigate = useNavigate({ from: '/evaluations' })
  const name = sets.find((one) => one === set) ?? sets[0] ?? ''
  const query = useQuery(tuneQuery(name))
  return (
    <Stack gap="lg">
      <Select
        label="Recorded answers"
        maw={280}
        data={[...sets]}
        value={name}
        allowDeselect={false}
        onChange={(one) => {
          if (one !== null) void navigate({ search: { set: one }, replace: true })
        }}
      />
      <Asked query={query}>{(tune) => <Tuned key={tune.name} tune={tune} />}</Asked>
    </Stack>
  )
}

function Tuned({ tune }: { readonly tune: TuneView }) {
  const ladders = gatedLadders(tune)
  const [chosen, setChosen] = useState(0)
  const ladder = ladders[chosen] ?? ladders[0]
  const [threshold, setThreshold] = useState(tune.proposal?.threshold ?? 0.5)
  if (ladder === undefined) {
    return (
      <Empty title="Too few answers">
        A threshold needs at least ten right and ten wrong answers of the smaller model to rest on.
      </Empty>
    )
  }
  const point = nearestTo(ladder, threshold)
  return (
    <>
      <Text size="sm" c="dimmed" maw="75ch">
        Each dot is a threshold of a ladder of models, measured on {tune.tasks.test} tasks that were
        not used to choose it. Drag the threshold below: an answer of a smaller model is accepted
        from this score on, and promoted below it.
      </Text>
      {ladders.length > 1 && (
        <Select
          label="Ladder"
          maw={420}
          data={ladders.map(({ models }, at) => ({
            value: String(at),
            label: models.join(', then '),
          }))}
          value={String(chosen)}
          allowDeselect={false}
          onChange={(at) => setChosen(Number(at))}
        />
      )}
      <FrontierChart tune={tune} ladder={ladder} point={point} />
      <ThresholdSlider ladder={ladder} threshold={point.threshold ?? 0} onChange={setThreshold} />
      <ThresholdFigures tune={tune} ladder={ladder} point={point} />
    </>
  )
}
