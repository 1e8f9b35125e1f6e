import { Alert, Paper, SegmentedControl, SimpleGrid, Text, Title } from '@mantine/core'
import type { StepStateView } from 'echelon/client'
import { useState } from 'react'
import { JsonView } from '../pieces/json-view.tsx'
import { Changes } from './changes.tsx'
import { StepFacts } from './step-facts.tsx'

/** A step: what it did and took, what it changed, and the whole state around it. */
export function StepDetails({ state }: { readonly state: StepStateView }) {
  const { step, before, changes, unknown } = state
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <div>
        <StepFacts step={step} />
        <Title order={2} size="h5" mt="lg" mb="xs">
          What it changed
        </Title>
        {unknown !== null && <Alert color="yellow">{unknown}</Alert>}
        {unknown === null && changes.length === 0 && <Text c="dimmed">Nothing.</Text>}
        <Changes before={before} changes={changes} />
      </div>
      <State state={state} />
    </SimpleGrid>
  )
}

function State({ state: { before, after } }: { readonly state: StepStateView }) {
  const [side, setSide] = useState('after')
  const shown = side === 'before' || after === null ? before : after
  return (
    <Paper withBorder p="md" component="section" style={{ minWidth: 0 }}>
      <Title order={2} size="h5" mb="xs">
        The state
      </Title>
      <SegmentedControl
        aria-label="Which state"
        size="xs"
        mb="sm"
        value={after === null ? 'before' : side}
        onChange={setSide}
        data={[
          { value: 'before', label: 'Before the step' },
          { value: 'after', label: 'After it', disabled: after === null },
        ]}
      />
      {shown === null ? (
        <Text c="dimmed">It is unknown.</Text>
      ) : (
        <JsonView value={shown} open={2} />
      )}
    </Paper>
  )
}
