import { Group, Paper, Stack, Text } from '@mantine/core'
import { IconGavel } from '@tabler/icons-react'
import type { ApprovalView } from 'echelon/client'
import { whose } from '../conversations/route.ts'
import { TextLink } from '../pieces/links.tsx'
import { Ago } from '../pieces/time.tsx'
import classes from './approval-card.module.css'
import { About } from './about.tsx'
import { ApprovalChoices } from './approval-choices.tsx'
import { CallShown } from './call-shown.tsx'

interface ApprovalCardProps {
  readonly approval: ApprovalView
  /** Inside of its conversation, which needs no link to itself. */
  readonly isInPlace?: boolean
  /** Of its heading. */
  readonly level?: 2 | 3
}

/** A tool call that waits for a person: what would be done, by whom it was asked, and the rule. */
export function ApprovalCard({ approval, isInPlace = false, level = 2 }: ApprovalCardProps) {
  const { tool, input, why } = approval
  return (
    <Paper withBorder className={classes['card']} component="article" aria-label={titleOf(tool)}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <Text component={`h${level}`} fw={650} className={classes['title']}>
            {titleOf(tool)}
          </Text>
          <Text size="sm" c="dimmed">
            <Ago at={approval.asked_at} />
          </Text>
        </Group>
        {approval.about !== null && <About about={approval.about} />}
        <CallShown tool={tool} input={input} />
        <Group gap={8} wrap="nowrap" align="flex-start" className={classes['rule']}>
          <IconGavel size={18} stroke={1.6} aria-hidden className={classes['icon']} />
          <Text size="sm">
            <b>Why you are asked:</b> {why}
          </Text>
        </Group>
        {!isInPlace && <Origin approval={approval} />}
        <ApprovalChoices {...approval} />
      </Stack>
    </Paper>
  )
}

/** A tool's name as a question. */
const titleOf = (tool: string): string => `${tool.replaceAll(/[_-]+/g, ' ')}?`

/** The name of everybody at a server without tokens. */
const LOCAL = 'local'

function Origin({ approval }: { readonly approval: ApprovalView }) {
  const { agent, session, owner, run, asked_by: by, expires_at: until } = approval
  return (
    <Text size="sm" c="dimmed">
      Asked by {by === null ? 'a program' : by === LOCAL ? 'you' : by} in{' '}
      {session === null ? (
        <TextLink to="/runs/$run" params={{ run }} inherit underline="always">
          a run of {agent}
        </TextLink>
      ) : (
        <>
          <TextLink
            to="/conversations/$agent/$session"
            params={{ agent, session }}
            search={whose(owner)}
            inherit
            underline="always"
          >
            a conversation with {agent}
          </TextLink>
          {' · '}
          <TextLink to="/runs/$run" params={{ run }} inherit underline="always">
            the run
          </TextLink>
        </>
      )}
      {until !== null && (
        <>
          {' · expires '}
          <Ago at={until} />
        </>
      )}
    </Text>
  )
}
