/** A page that joins the room of its fragment: `/#lobby`. */
export const page = `<!doctype html>
<meta charset="utf-8">
<title>Chat</title>
<h1>Chat</h1>
<ol id="messages"></ol>
<form><input id="text" autofocus maxlength="1000"> <button>Send</button></form>
<script>
  const room = encodeURIComponent(location.hash.slice(1) || "lobby");
  const name = prompt("Your name?") || "guest";
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const show = (line) => {
    const item = document.createElement("li");
    item.textContent = line;
    messages.append(item);
  };
  let socket;
  let pauseMs = 500;
  function connect() {
    socket = new WebSocket(scheme + "//" + location.host + "/rooms/" + room + "?name=" + encodeURIComponent(name));
    socket.onopen = () => { pauseMs = 500; };
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(data);
      if (event.type === "message") show(event.from + ": " + event.text);
      else show(event.name + " has " + event.type + ", " + event.count + " here");
    };
    socket.onclose = () => {
      setTimeout(connect, pauseMs);
      pauseMs = Math.min(2 * pauseMs, 30000);
    };
  }
  connect();
  document.forms[0].onsubmit = (event) => {
    event.preventDefault();
    socket.send(text.value);
    text.value = "";
  };
</script>
`;
