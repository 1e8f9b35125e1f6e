import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { SEEN } from './run-entries.ts'

/**
 * The same loop as a LangGraph graph with a default SqliteSaver: alternating steps of a model that
 * answers at once and a tool.
 */
export function langgraphOn(path: string, steps: number, onStep: (step: number) => void) {
  const saver = SqliteSaver.fromConnString(path)
  let step = 0
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', () => {
      onStep(step)
      const id = `call-${step++}`
      const calls = step < steps ? [{ id, name: 'add', args: { a: step, b: 0 } }] : []
      return { messages: [new AIMessage({ content: '', tool_calls: calls })] }
    })
    .addNode('tools', ({ messages }) => {
      onStep(step)
      step++
      const last = messages.at(-1)
      const [call] = AIMessage.isInstance(last) ? (last.tool_calls ?? []) : []
      return { messages: [new ToolMessage({ content: SEEN, tool_call_id: call?.id ?? '' })] }
    })
    .addEdge(START, 'model')
    .addConditionalEdges('model', () => (step < steps ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver })
  return {
    async run(id: string): Promise<number> {
      step = 0
      const input = { messages: [new HumanMessage('add them up')] }
      const options = { configurable: { thread_id: id }, recursionLimit: 10 * steps }
      const { messages } = await graph.invoke(input, options)
      return messages.length
    },
    close: (): void => void saver.db.close(),
  }
}
