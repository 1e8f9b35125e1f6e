import { Badge, Table, Text, Title } from '@mantine/core'
import { IconCheck, IconQuestionMark, IconX } from '@tabler/icons-react'
import type { EvaluationView, GateView } from 'echelon/client'

/** The bounds that an evaluation has to keep, the broken ones first, then the unsure ones. */
export function Gates({ evaluation }: { readonly evaluation: EvaluationView }) {
  const { gates } = evaluation
  if (gates.length === 0) return null
  const sorted = gates.toSorted((a, b) => rankOf(a) - rankOf(b))
  return (
    <section aria-labelledby="gates">
      <Title order={2} size="h4" mb="sm" id="gates">
        Gates
      </Title>
      <Table verticalSpacing="xs">
        <Table.Tbody>
          {sorted.map((gate) => (
            <Table.Tr key={gate.gate}>
              <Table.Td w={140} valign="top">
                <Passed gate={gate} />
              </Table.Td>
              <Table.Td>
                <Text size="sm">{gate.message}</Text>
                <Text size="xs" c="dimmed">
                  {gate.gate}
                  {gate.verdict === 'INCONCLUSIVE' && ': too few cases to be sure'}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

const rankOf = ({ passed, verdict }: GateView): number =>
  passed ? (verdict === 'PASS' ? 2 : 1) : 0

/** A figure on the right side of its bound proves little while its interval is on both sides. */
const Passed = ({ gate }: { readonly gate: GateView }) =>
  gate.passed && gate.verdict === 'INCONCLUSIVE' ? (
    <Badge
      color="gray"
      variant="light"
      tt="none"
      leftSection={<IconQuestionMark size={13} aria-hidden />}
    >
      Not sure yet
    </Badge>
  ) : gate.passed ? (
    <Badge color="teal" variant="light" tt="none" leftSection={<IconCheck size={13} aria-hidden />}>
      Passes
    </Badge>
  ) : (
    <Badge color="red" variant="light" tt="none" leftSection={<IconX size={13} aria-hidden />}>
      Fails
    </Badge>
  )
