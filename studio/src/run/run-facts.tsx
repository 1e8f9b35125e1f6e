import { Group, Text } from '@mantine/core'
import type { RunEndView, RunView } from 'echelon/client'
import { whose } from '../conversations/route.ts'
import { isOffline } from '../pieces/free-note.ts'
import { money } from '../pieces/money.ts'
import { StatusBadge } from '../pieces/status-badge.tsx'
import { Ago, duration } from '../pieces/time.tsx'
import { TextLink } from '../pieces/links.tsx'

/** The facts of a run in a line. */
export function RunFacts({ run }: { readonly run: RunView }) {
  const { end, began_at: began, changed_at: changed } = run
  return (
    <Group gap="xs" mt={2}>
      <StatusBadge status={run.status} />
      <Text span inherit>
        {run.agent}
      </Text>
      <Text span inherit>
        <Ago at={began} />
      </Text>
      {end !== null && (
        <>
          <Text span inherit>
            took {duration(Date.parse(changed) - Date.parse(began))}
          </Text>
          <Text span inherit>
            {isFree(end) ? 'free: its models are offline' : `cost ${money(end.cost)}`}
          </Text>
        </>
      )}
      {run.session !== null && (
        <TextLink
          to="/conversations/$agent/$session"
          params={{ agent: run.agent, session: run.session }}
          search={whose(run.owner)}
          inherit
        >
          its conversation
        </TextLink>
      )}
      {run.forked_from !== null && (
        <TextLink to="/runs/$run" params={{ run: run.forked_from }} inherit>
          fork of another run
        </TextLink>
      )}
    </Group>
  )
}

const isFree = ({ cost, rungs }: RunEndView): boolean =>
  cost === 0 && rungs.length > 0 && rungs.every(({ model }) => isOffline(model))
