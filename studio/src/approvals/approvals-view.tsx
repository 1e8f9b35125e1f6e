import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { approvalsQuery } from '../api/queries.ts'
import { Asked } from '../pieces/asked.tsx'
import { Empty } from '../pieces/empty.tsx'
import { Page } from '../pieces/page.tsx'
import { ApprovalCard } from './approval-card.tsx'

/** All calls that wait for a person, oldest first. */
export function ApprovalsView() {
  const approvals = useQuery(approvalsQuery)
  return (
    <Page
      title="Approvals"
      lead="Actions that agents may not take alone. The one that has waited longest is first."
    >
      <Asked query={approvals}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="Nothing waits for you">
              When a rule requires a person’s decision, the call appears here.
            </Empty>
          ) : (
            <Stack gap="md" maw={760}>
              {list.map((approval) => (
                <ApprovalCard key={`${approval.run} ${approval.request}`} approval={approval} />
              ))}
            </Stack>
          )
        }
      </Asked>
    </Page>
  )
}
