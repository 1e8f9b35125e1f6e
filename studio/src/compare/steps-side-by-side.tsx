import { Table, Text, Title } from '@mantine/core'
import type { StepView } from 'echelon/client'
import { JsonView } from '../pieces/json-view.tsx'
import { stepTitle } from '../time-travel/step-title.ts'
import { pairsOf } from './apart.ts'
import classes from './compare.module.css'

interface StepsSideBySideProps {
  readonly a: readonly StepView[]
  readonly b: readonly StepView[]
}

/** The steps of two runs in rows; those that differ are marked. */
export function StepsSideBySide({ a, b }: StepsSideBySideProps) {
  const pairs = pairsOf(a, b)
  const first = pairs.find(({ differs }) => differs)?.seq
  return (
    <section>
      <Title order={2} size="h4">
        Steps
      </Title>
      <Text c="dimmed" mb="sm">
        {first === undefined
          ? 'Every step is the same in both runs.'
          : `They went apart at step ${first}.`}
      </Text>
      <Table.ScrollContainer minWidth={340}>
        <Table layout="fixed" className={classes['table']}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="3.5rem">Step</Table.Th>
              <Table.Th>One run</Table.Th>
              <Table.Th>The other run</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pairs.map(({ seq, a: one, b: other, differs }) => (
              <Table.Tr key={seq} data-differs={differs} data-first={seq === first}>
                <Table.Td>{seq}</Table.Td>
                <Table.Td className={classes['cell']}>
                  <Step step={one} />
                </Table.Td>
                <Table.Td className={classes['cell']}>
                  <Step step={other} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  )
}

function Step({ step }: { readonly step: StepView | undefined }) {
  if (step === undefined) {
    return (
      <Text c="dimmed" size="sm">
        No such step
      </Text>
    )
  }
  const { seen } = step
  return (
    <>
      <Text size="sm" fw={600}>
        {stepTitle(step)}
      </Text>
      {seen?.type === 'generated' && seen.calls.length === 0 ? (
        <Text size="sm" lineClamp={6}>
          {seen.text}
        </Text>
      ) : (
        seen !== null && <JsonView value={seen} open={0} />
      )}
    </>
  )
}
