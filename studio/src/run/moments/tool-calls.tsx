import { Badge, Loader, Text } from '@mantine/core'
import type { Json } from 'echelon/client'
import { duration } from '../../pieces/time.tsx'
import type { CallShown, OutcomeShown } from '../story/moment.ts'
import classes from './tool-calls.module.css'
import { Values } from './values.tsx'

/** Tool calls with what they were given and what they gave. */
export const ToolCalls = ({ calls }: { readonly calls: readonly CallShown[] }) =>
  calls.map((call) => <ToolCall key={call.id} call={call} />)

function ToolCall({ call }: { readonly call: CallShown }) {
  const { tool, input, began, ended, outcome, progress } = call
  return (
    <div className={classes['call']}>
      <div className={classes['head']}>
        <code className={classes['tool']}>{tool}</code>
        {ended !== undefined && <span className={classes['small']}>{duration(ended - began)}</span>}
        {outcome !== undefined && outcome.type !== 'ok' && (
          <Badge color="red" variant="light" tt="none" size="sm">
            {WORDS[outcome.type]}
          </Badge>
        )}
      </div>
      <div className={classes['sides']}>
        <Side label="Given" value={input} />
        {outcome === undefined ? (
          <div>
            <Text size="xs" c="dimmed">
              {progress.length === 0 ? 'Works …' : `Works, ${progress.length} reports so far …`}
            </Text>
            <Loader size="xs" type="dots" />
          </div>
        ) : (
          <Side label={outcome.type === 'ok' ? 'Result' : 'Why'} value={outcome.value} />
        )}
      </div>
    </div>
  )
}

const WORDS: Readonly<Record<OutcomeShown['type'], string>> = {
  ok: 'done',
  error: 'failed',
  denied: 'denied',
  refused: 'refused',
  unknown: 'unknown whether it acted',
}

const Side = ({ label, value }: { readonly label: string; readonly value: Json }) => (
  <div className={classes['side']}>
    <div className={classes['small']}>{label}</div>
    <Values value={value} />
  </div>
)
