import { Badge, Group, type MantineColor, Paper, Text, Title } from '@mantine/core'
import classes from './plan-steps.module.css'
import { planIn } from './stages.ts'

const LOOKS: Readonly<Record<string, { readonly label: string; readonly color: MantineColor }>> = {
  pending: { label: 'to do', color: 'gray' },
  in_progress: { label: 'at work', color: 'blue' },
  completed: { label: 'done', color: 'teal' },
  failed: { label: 'failed', color: 'red' },
  blocked: { label: 'waits for a person', color: 'orange' },
  waiting_user: { label: 'waits for the customer', color: 'orange' },
  canceled: { label: 'canceled', color: 'gray' },
}

/** The plan of the last message, step by step. */
export function PlanSteps({ execution }: { readonly execution: unknown }) {
  const steps = planIn(execution)
  if (steps === undefined || steps.length === 0) return null
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5" mb="xs">
        The plan
      </Title>
      <ol className={classes['steps']}>
        {steps.map(({ title, status }, index) => (
          <li key={index}>
            <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
              <Text size="sm" className={classes['title']}>
                {title}
              </Text>
              <Badge
                variant="light"
                size="sm"
                tt="none"
                flex="none"
                color={LOOKS[status]?.color ?? 'gray'}
              >
                {LOOKS[status]?.label ?? status}
              </Badge>
            </Group>
          </li>
        ))}
      </ol>
    </Paper>
  )
}
