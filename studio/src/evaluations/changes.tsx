import { Group, Select, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ChangedCaseView, EvaluatedCaseView, EvaluationView } from 'echelon/client'
import { Asked } from '../pieces/asked.tsx'
import { TextLink } from '../pieces/links.tsx'
import { changesQuery } from './queries.ts'
import { evaluationsRoute } from './route.ts'

interface ChangesProps {
  /** Newest first. */
  readonly evaluations: readonly EvaluationView[]
  readonly shown: EvaluationView
}

/** The cases that went differently than in an earlier evaluation. */
export function Changes({ evaluations, shown }: ChangesProps) {
  const { since } = evaluationsRoute.useSearch()
  const earlier = evaluations.filter(({ began_at: at }) => at < shown.began_at)
  const before = earlier.find(({ id }) => id === since) ?? earlier[0]
  if (before === undefined) return null
  return (
    <section aria-labelledby="changes">
      <Title order={2} size="h4" mb="sm" id="changes">
        Cases that changed
      </Title>
      <Choice evaluations={evaluations} shown={shown} before={before} earlier={earlier} />
      <Changed before={before.id} after={shown.id} />
    </section>
  )
}

const TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

const optionOf = ({ id, began_at: at }: EvaluationView) => ({
  value: id,
  label: TIME.format(Date.parse(at)),
})

function Choice({
  evaluations,
  shown,
  before,
  earlier,
}: ChangesProps & {
  readonly before: EvaluationView
  readonly earlier: readonly EvaluationView[]
}) {
  const navigate = useNavigate({ from: '/evaluations' })
  return (
    <Group mb="sm">
      <Select
        label="From"
        data={earlier.map(optionOf)}
        value={before.id}
        allowDeselect={false}
        onChange={(id) => {
          if (id !== null)
            void navigate({ search: (now) => ({ ...now, since: id }), replace: true })
        }}
      />
      <Select
        label="To"
        data={evaluations.slice(0, -1).map(optionOf)}
        value={shown.id}
        allowDeselect={false}
        onChange={(id) => {
          if (id !== null) void navigate({ search: (now) => ({ ...now, of: id }), replace: true })
        }}
      />
    </Group>
  )
}

function Changed({ before, after }: { readonly before: string; readonly after: string }) {
  const query = useQuery(changesQuery(after, before))
  return (
    <Asked query={query}>
      {({ cases, unchanged }) =>
        cases.length === 0 ? (
          <Text c="dimmed">All {unchanged} cases went alike.</Text>
        ) : (
          <>
            <Table.ScrollContainer minWidth={560}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Case</Table.Th>
                    <Table.Th>Before</Table.Th>
                    <Table.Th>After</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {cases.map((one) => (
                    <Row key={one.id} changed={one} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            <Text size="sm" c="dimmed" mt="xs">
              {unchanged} others went alike.
            </Text>
          </>
        )
      }
    </Asked>
  )
}

const Row = ({
  changed: { id, question, before, after },
}: {
  readonly changed: ChangedCaseView
}) => (
  <Table.Tr>
    <Table.Td>
      <Text size="sm" fw={550}>
        {question ?? id}
      </Text>
      {question !== null && (
        <Text size="xs" c="dimmed">
          {id}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Went one={before} />
    </Table.Td>
    <Table.Td>
      <Went one={after} />
    </Table.Td>
  </Table.Tr>
)

function Went({ one }: { readonly one: EvaluatedCaseView | null }) {
  if (one === null) return <Text c="dimmed">not included</Text>
  return (
    <>
      <Text
        size="sm"
        c={one.success ? 'var(--mantine-color-teal-text)' : 'var(--mantine-color-red-text)'}
      >
        {one.success ? 'right' : 'not right'}
      </Text>
      <Text size="xs" c="dimmed">
        {one.outcome.replaceAll('_', ' ')}
        {one.escalated && ', promoted'} ·{' '}
        <TextLink to="/runs/$run" params={{ run: one.run }} inherit>
          the run
        </TextLink>
      </Text>
    </>
  )
}
