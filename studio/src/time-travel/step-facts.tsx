import { Group, Paper, Text, Title } from '@mantine/core'
import type { StepView } from 'echelon/client'
import { JsonView } from '../pieces/json-view.tsx'
import { duration } from '../pieces/time.tsx'
import { amount, counterLabel } from '../run/panels/counter.ts'
import { stepTitle } from './step-title.ts'

/** The effect of a step, the actor that requested it, and the budget that it reserved and used. */
export function StepFacts({ step }: { readonly step: StepView }) {
  const { seq, actor, opened_at: opened, closed_at: closed, seen, reserved, spent } = step
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h5">
        Step {seq}: {stepTitle(step)}
      </Title>
      <Group gap="md" c="dimmed" fz="sm">
        {actor !== null && <span>asked for by the {actor}</span>}
        {closed === null ? (
          <span>still open</span>
        ) : (
          <span>{duration(Date.parse(closed) - Date.parse(opened))}</span>
        )}
      </Group>
      <Amounts label="Reserved" amounts={reserved} />
      <Amounts label="Took" amounts={spent} />
      {seen !== null && (
        <>
          <Text size="xs" c="dimmed" mt="xs">
            What it saw
          </Text>
          <JsonView value={seen} open={1} />
        </>
      )}
    </Paper>
  )
}

interface AmountsProps {
  readonly label: string
  readonly amounts: StepView['spent']
}

function Amounts({ label, amounts }: AmountsProps) {
  const given = Object.entries(amounts).filter(([, value]) => value !== 0)
  if (given.length === 0) return null
  return (
    <Text size="sm" mt={6}>
      <Text span c="dimmed" inherit>
        {label}
      </Text>{' '}
      {given.map(([name, value]) => `${counterLabel(name)}: ${amount(name, value)}`).join(' · ')}
    </Text>
  )
}
