import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { RunView } from 'echelon/client'
import { messagesQuery } from '../../api/queries.ts'
import { Asked } from '../../pieces/asked.tsx'
import { spokenText } from '../panels/spoken-text.ts'
import type { MomentOf } from '../story/moment.ts'
import { Prose } from './prose.tsx'

interface PromotionDetailsProps {
  readonly moment: MomentOf<'promotion'>
  readonly run: RunView
}

/** The note to the bigger model about the earlier attempt. */
export function PromotionDetails({ moment, run }: PromotionDetailsProps) {
  const { to, told, isInPrompt } = moment
  const [isOpen, { toggle }] = useDisclosure()
  if (!isInPrompt) {
    return told === undefined ? (
      <Text size="sm" c="dimmed">
        {to} is not told of the answer before.
      </Text>
    ) : (
      <>
        <Text size="sm" c="dimmed">
          {to} is told:
        </Text>
        <Prose>{told}</Prose>
      </>
    )
  }
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen} ml={-8}>
        {isOpen ? 'Hide' : 'Show'} what {to} is told
      </Button>
      {isOpen && <Told run={run.id} moment={moment} />}
    </>
  )
}

function Told({
  run,
  moment: { to, place },
}: { readonly run: string } & Pick<PromotionDetailsProps, 'moment'>) {
  const query = useQuery(messagesQuery(run))
  return (
    <Asked query={query}>
      {({ calls }) => {
        const call = calls.find(
          ({ seq, path }) => path === (place?.path ?? '') && seq > (place?.seq ?? -1),
        )
        const last = call?.prompt?.findLast(({ role }) => role === 'user')
        return last === undefined ? (
          <Text size="sm">{to} was not asked yet.</Text>
        ) : (
          <Prose>{spokenText(last.content)}</Prose>
        )
      }}
    </Asked>
  )
}
