import { beforeEach, describe, expect, it } from 'vitest';
import { TaskEvent } from '../domain/task-event.js';
import { TaskEventBus } from './task-event-bus.js';

const ID = '00000000-0000-4000-8000-000000000001';

const eventsOf = (...numbers: number[]) => numbers.map((seq) => new TaskEvent(ID, seq, '{}', null));

let bus: TaskEventBus;
let seen: number[];
let doubts: string[];

beforeEach(() => {
  bus = new TaskEventBus();
  seen = [];
  doubts = [];
  bus.doubts.subscribe((id) => doubts.push(id));
});

const read = () => bus.events(ID).subscribe(({ seq }) => seen.push(seq));

describe('the events of a task that is read here', () => {
  it('are looked for after the point from which its readers know it, and not before that is known', () => {
    read();
    expect(bus.positions()).toEqual(new Map());
    bus.startsAt(ID, 3);
    expect(bus.positions()).toEqual(new Map([[ID, 3]]));
    bus.relay(ID, eventsOf(2, 3, 4, 5));
    expect(seen).toEqual([4, 5]);
    expect(bus.positions()).toEqual(new Map([[ID, 5]]));
  });

  it('are not relayed when they were committed here, nor a second time', () => {
    read();
    bus.startsAt(ID, 1);
    bus.publish(ID, eventsOf(2, 3));
    bus.relay(ID, eventsOf(2, 3, 4));
    bus.relay(ID, eventsOf(3, 4));
    expect(seen).toEqual([2, 3, 4]);
  });

  it('are told as commits only when this process committed them', () => {
    const commits: string[] = [];
    bus.commits.subscribe((id) => commits.push(id));
    read();
    bus.startsAt(ID, 1);
    bus.relay(ID, eventsOf(2));
    expect(commits).toEqual([]);
    bus.publish(ID, eventsOf(3));
    expect(commits).toEqual([ID]);
  });

  it('are in doubt when a reader begins with something that the others were not told', () => {
    read();
    bus.startsAt(ID, 3);
    bus.startsAt(ID, 2);
    expect(doubts).toEqual([ID]);
    bus.startsAt(ID, 5);
    expect(doubts).toEqual([ID, ID]);
    expect(bus.positions()).toEqual(new Map([[ID, 3]]));
  });

  it('are nobody’s concern when the last reader has left', () => {
    const reader = read();
    bus.startsAt(ID, 1);
    reader.unsubscribe();
    bus.startsAt(ID, 2);
    bus.doubt(ID);
    bus.relay(ID, eventsOf(2));
    expect(bus.positions()).toEqual(new Map());
    expect([doubts, seen]).toEqual([[ID], []]);
  });
});
