import { cold } from './cold.mjs';
import { fanout } from './fanout.mjs';
import { growth, history } from './growth.mjs';
import { list } from './list.mjs';
import { paced, stream } from './streams.mjs';
import { get, send } from './unary.mjs';

/** Every scenario by name, in the order of a round: `cold` restarts the servers, so it comes first. */
export const SCENARIOS = { cold, send, get, stream, paced, fanout, growth, history, list };
